import { kilogramsPerPound } from "../../entities/quantities.ts";
import type { StructuredPart } from "../../document/document.ts";
import type { CargoItem, Party } from "../../document/shapes.ts";
import type { OrderLocation, OrderView } from "./view.ts";
import { findSegment, groupsOf, messagesIn, momentOf, part, x12Segments, type EdiSegment } from "./edi.ts";
import { omitEmpty, unique, defined } from "../structured-values.ts";

/** Maps the load tenders (204) of an X12 interchange to orders. Empty if it contains none. */
export function ordersInX12({ format, text }: StructuredPart): OrderView[] {
  if (format !== "X12") return [];
  const sets = messagesIn(x12Segments(text), "ST", "SE");
  return sets.flatMap((set) => (part(set[0], 1) === "204" ? (orderOf(set) ?? []) : []));
}

function orderOf(set: readonly EdiSegment[]): OrderView | undefined {
  const [head = [], ...stops] = groupsOf(set, ({ tag }) => tag === "S5");
  const companies = groupsOf(head, ({ tag }) => tag === "N1").slice(1);
  const company = (codes: readonly string[]) => {
    const wanted = codes.find((code) => companies.some(([first]) => part(first, 1) === code));
    const group = companies.find(([first]) => part(first, 1) === wanted);
    return group && partyOf(group);
  };
  const summed = findSegment(stops.at(-1) ?? [], "L3") ?? findSegment(head, "L3");
  const locations = stops.flatMap((stop) => locationOf(stop) ?? []);
  if (locations.length === 0) return undefined;
  const equipment = head.filter(({ tag }) => tag === "N7");
  const plates = unique(equipment.map(trailerOf));
  const scac = part(findSegment(head, "B2"), 2);
  const written = part(
    head.find((each) => each.tag === "G62" && ["86", "87", "05"].includes(part(each, 1) ?? "")),
    2,
  );
  return omitEmpty<OrderView>({
    orderNumber: part(findSegment(head, "B2"), 4),
    orderDate: written && momentOf(written)?.slice(0, 10),
    referenceNumber: unique(head.map((each) => (each.tag === "L11" ? part(each, 1) : undefined))).join(", "),
    customer: company(["BT"]),
    carrier: company(["CA", "MC"]) ?? (scac ? { name: scac } : undefined),
    payer: company(["BT", "PR"]),
    locations: locations
      .toSorted((one, other) => one.sequence - other.sequence)
      .map((location, at) => ({ ...location, sequence: at + 1 })),
    payments: paymentsOf(summed, part(findSegment(head, "C3"), 1)),
    trailersLicensePlates: plates,
    licensePlates: plates,
    comments: head.flatMap((each) => (each.tag === "NTE" ? (part(each, 2) ?? []) : [])).join(" ") || undefined,
  });
}

function partyOf(group: readonly EdiSegment[]): Party | undefined {
  const contact = findSegment(group, "G61");
  const reached = (kind: string) => (part(contact, 3) === kind ? part(contact, 4) : undefined);
  return omitEmpty<Party>({
    ...addressOf(group),
    contactPerson: omitEmpty({ name: part(contact, 2), email: reached("EM"), phone: reached("TE") }),
  });
}

function addressOf(
  group: readonly EdiSegment[],
): Partial<Record<"name" | "street" | "city" | "postalCode" | "country", string>> {
  const [street, town] = [findSegment(group, "N3"), findSegment(group, "N4")];
  const country = part(town, 4) ?? countryOf(part(town, 2), part(town, 3));
  return {
    name: part(findSegment(group, "N1"), 2),
    street: defined([part(street, 1), part(street, 2)]).join(" ") || undefined,
    city: part(town, 1),
    postalCode: part(town, 3),
    country: country && threeLetters[country] ? threeLetters[country] : country,
  };
}

/** The states of the USA, by the first digit of their ZIP codes. */
const states = [
  "CT MA ME NH NJ RI VT",
  "DE NY PA",
  "DC MD NC SC VA WV",
  "AL FL GA MS TN",
  "IN KY MI OH",
  "IA MN MT ND SD WI",
  "IL KS MO NE",
  "AR LA OK TX",
  "AZ CO ID NM NV UT WY",
  "AK CA HI OR WA",
].map((codes) => codes.split(" "));

function countryOf(region = "", code = ""): string | undefined {
  if (/^[A-Z]\d[A-Z] ?\d[A-Z]\d$/.test(code)) return "CA";
  return /^\d{5}(?:-?\d{4})?$/.test(code) && states[Number(code[0])]!.includes(region) ? "US" : undefined;
}

/** A trailer number consists of letters of the owner and digits. */
function trailerOf(equipment: EdiSegment): string | undefined {
  const number = defined([part(equipment, 1), part(equipment, 2)]).join("");
  return /\p{L}/u.test(number) && /\d{2}/.test(number) ? number : undefined;
}

const threeLetters: Record<string, string> = { USA: "US", CAN: "CA", MEX: "MX" };
const loads = new Set(["LD", "CL", "PL", "RT", "PA"]);
const unloads = new Set(["UL", "CU", "PU", "DT", "DR"]);

function locationOf(stop: readonly EdiSegment[]): OrderLocation | undefined {
  const head = stop[0];
  const reason = part(head, 2) ?? "";
  const type = loads.has(reason) ? "Loading" : unloads.has(reason) ? "Unloading" : "Stop";
  const { country, ...address } = addressOf(stop);
  const goods = cargoOf(stop, head);
  return omitEmpty<OrderLocation>({
    sequence: Number(part(head, 1) ?? 0),
    type,
    ...windowOf(stop),
    ...address,
    countryCode: country,
    refrenceNumbers: unique([
      ...stop.map((each) => (each.tag === "L11" ? part(each, 1) : undefined)),
      ...stop.map((each) => (each.tag === "OID" ? (part(each, 1) ?? part(each, 2)) : undefined)),
    ]),
    notes: stop.flatMap((each) => (each.tag === "NTE" ? (part(each, 2) ?? []) : [])).join(" ") || undefined,
    ...(goods && { cargo: [goods] }),
  });
}

/** Codes of the earliest and of the latest time (data element 432). All other codes mean an appointment. */
const earliest = new Set(["37", "53", "10", "68"]);
const latest = new Set(["38", "54", "02"]);

function windowOf(stop: readonly EdiSegment[]): Pick<OrderLocation, "startDate" | "endDate" | "fixTime"> {
  const moments = stop.flatMap((each) => {
    const [date, time] = [part(each, 2), part(each, 4)];
    const moment = each.tag === "G62" && date ? momentOf(date + (time?.slice(0, 4) ?? "")) : undefined;
    return moment ? [{ code: part(each, 1) ?? "", moment }] : [];
  });
  const momentWith = (codes: ReadonlySet<string>) => moments.find(({ code }) => codes.has(code))?.moment;
  const appointed = moments.find(({ code }) => !earliest.has(code) && !latest.has(code))?.moment;
  const [start, end] = [momentWith(earliest) ?? appointed, momentWith(latest)];
  return { ...(start && { startDate: start }), ...(end && { endDate: end }) };
}

const kilograms: Record<string, number> = { L: kilogramsPerPound, K: 1, E: 1000 };
const pallets = new Set(["PL", "PLT", "PAL", "PT"]);

/** Weight and quantity may be in S5, AT8 or OID. A weight without unit is left out. */
function cargoOf(stop: readonly EdiSegment[], head: EdiSegment | undefined): CargoItem | undefined {
  const [measured, detail] = [findSegment(stop, "AT8"), findSegment(stop, "OID")];
  const weights = [
    [part(head, 3), part(head, 4)],
    [part(measured, 3), part(measured, 2)],
    [part(detail, 7), part(detail, 6)],
  ];
  const [amount, unit = ""] = weights.find(([value]) => Number(value) > 0) ?? [];
  const weight = Number(amount) * (kilograms[unit] ?? Number.NaN);
  const count = Number(part(head, 5) ?? part(detail, 5) ?? part(measured, 4));
  const kind = part(head, 6) ?? part(detail, 4) ?? "";
  const goods = unique(stop.map((each) => (each.tag === "L5" ? part(each, 2) : undefined))).join(", ");
  return omitEmpty<CargoItem>({
    cargoType: goods || undefined,
    weight: weight > 0 ? Math.round(weight * 100) / 100 : undefined,
    ...(count > 0 && (pallets.has(kind) ? { pallets: count } : { quantity: count })),
    adr: stop.some(({ tag }) => tag === "LH1" || tag === "LH2") || undefined,
  });
}

/** A charge without a decimal point is in cents. */
function paymentsOf(totals: EdiSegment | undefined, currency: string | undefined): OrderView["payments"] {
  const charge = part(totals, 5);
  if (!charge || !/^\d+(?:\.\d+)?$/.test(charge)) return undefined;
  const price = charge.includes(".") ? Number(charge) : Number(charge) / 100;
  return omitEmpty({ price, basePrice: price, totalNetAmount: price, currency });
}
