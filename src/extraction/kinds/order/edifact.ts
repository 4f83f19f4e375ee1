import { kilogramsPerPound } from "../../entities/quantities.ts";
import type { StructuredPart } from "../../document/document.ts";
import type { CargoItem, Party } from "../../document/shapes.ts";
import type { OrderLocation, OrderView } from "./view.ts";
import {
  edifactSegments,
  findSegment,
  groupsOf,
  messagesIn,
  part,
  periodOf,
  whole,
  type EdiPeriod,
  type EdiSegment,
} from "./edi.ts";
import { bareCode, omitEmpty, unique } from "../structured-values.ts";

/*
 * IFTMIN is the instruction to carry one consignment. The bookings IFTMBF and IFTMBP have the same segments. The codes
 * of companies (3035), dates (2005), places (3227) and references (1153) are the same in all directories from D.96A to
 * D.16B.
 */
const kinds = new Set(["IFTMIN", "IFTMBF", "IFTMBP"]);

/** Maps the messages IFTMIN, IFTMBF and IFTMBP of an EDIFACT interchange to orders. Empty if there are none. */
export function ordersInEdifact({ format, text }: StructuredPart): OrderView[] {
  if (format !== "Edifact") return [];
  const messages = messagesIn(edifactSegments(text), "UNH", "UNT");
  return messages.flatMap((message) => (kinds.has(part(message[0], 2) ?? "") ? (orderOf(message) ?? []) : []));
}

function orderOf(message: readonly EdiSegment[]): OrderView | undefined {
  const groups = groupsOf(message, ({ tag }) => ["NAD", "TDT", "GID", "EQD", "LOC"].includes(tag));
  const [head = []] = groups;
  const led = (tag: string) => groups.filter(([first]) => first?.tag === tag);
  const companies = led("NAD");
  const number = part(findSegment(head, "BGM"), 2);
  const written = dated(head, "137")?.start;
  const transport = led("TDT").map(([first]) => first as EdiSegment);
  const plates = unique([
    ...transport.map((segment) => plate(part(segment, 8, 4) ?? part(segment, 8))),
    ...led("EQD").flatMap(([first]) => (part(first, 1) === "TE" ? plate(part(first, 2)) : undefined)),
  ]);
  const trailers = unique(led("EQD").map(([first]) => (part(first, 1) === "TE" ? plate(part(first, 2)) : undefined)));
  const view = omitEmpty<OrderView>({
    orderNumber: number,
    orderDate: written?.slice(0, 10),
    referenceNumber: referencesIn(message, headReferences).join(", "),
    customer: companyOf(companies, customers),
    carrier: companyOf(companies, carriers),
    payer: companyOf(companies, payers),
    locations: locationsOf(groups, companies),
    payments: paymentsOf(message),
    licensePlates: plates,
    vehiclesLicensePlates: plates.filter((each) => !trailers.includes(each)),
    trailersLicensePlates: trailers,
    incoterms: part(findSegment(head, "TOD"), 3),
    comments: textsIn(head, ["AAI", "TRA", "ZZZ", "OSI"]),
    driverComments: textsIn(head, ["DIN"]),
    cargoValue: valueOf(message),
  });
  return view?.locations ? view : undefined;
}

const customers = ["OB", "MS", "FW", "OS", "CZ"];
const carriers = ["CA", "MR", "TR"];
const payers = ["IV", "FP"];
const loadings = ["PW", "SF", "CZ"];
const unloadings = ["DP", "ST", "UC", "CN"];
const headReferences = ["CU", "ON", "BN", "CR", "SI", "FF"];

const role = ([first]: readonly EdiSegment[]) => part(first, 1) ?? "";

/** The order of the roles decides, not that of the companies. */
function groupOf(companies: readonly EdiSegment[][], roles: readonly string[]): EdiSegment[] | undefined {
  const wanted = roles.find((code) => companies.some((group) => role(group) === code));
  return companies.find((group) => role(group) === wanted);
}

function companyOf(companies: readonly EdiSegment[][], roles: readonly string[]): Party | undefined {
  const group = groupOf(companies, roles);
  const name = group?.[0];
  if (!group || !name) return undefined;
  const reached = (kind: string) =>
    group.flatMap((segment) =>
      segment.tag === "COM" ? segment.elements.flatMap(([value = "", of]) => (of === kind ? value : [])) : [],
    )[0];
  const contact = omitEmpty({
    name: part(findSegment(group, "CTA"), 2, 2) ?? part(findSegment(group, "CTA"), 2),
    email: reached("EM"),
    phone: reached("TE") ?? reached("AL"),
  });
  return omitEmpty<Party>({
    ...addressOf(name),
    vatCode: referencesIn(group, ["VA"])[0]?.replace(/[^\p{L}\p{N}]/gu, ""),
    contactPerson: contact,
  });
}

interface EdiAddress {
  name?: string;
  street?: string;
  city?: string;
  postalCode?: string;
  country?: string;
}

/** Instead of separate elements, the address may be in free lines, usually name and street. */
function addressOf(segment: EdiSegment): EdiAddress {
  const lines = (segment.elements[2] ?? []).map((line) => line.trim()).filter(Boolean);
  const named = whole(segment, 4);
  return {
    name: named ?? lines[0],
    street: whole(segment, 5) ?? (named ? lines[0] : lines[1]),
    city: part(segment, 6),
    postalCode: part(segment, 8),
    country: part(segment, 9),
  };
}

function locationsOf(
  groups: readonly EdiSegment[][],
  companies: readonly EdiSegment[][],
): OrderView["locations"] | undefined {
  const placed = (codes: readonly string[]) =>
    groups.find(([first]) => first?.tag === "LOC" && codes.includes(part(first, 1) ?? ""));
  const loading = stopOf("Loading", groupOf(companies, loadings), placed(["9", "5", "88", "198"]), groups);
  const unloading = stopOf("Unloading", groupOf(companies, unloadings), placed(["11", "7", "8", "83"]), groups);
  const stops = [loading, unloading].flatMap((stop) => stop ?? []);
  const goods = groups.filter(([first]) => first?.tag === "GID").flatMap((group) => cargoOf(group) ?? []);
  if (loading && goods.length > 0) loading.cargo = goods;
  const container = groups.find(([first]) => first?.tag === "EQD" && part(first, 1) === "CN")?.[0];
  if (container)
    for (const stop of stops)
      Object.assign(
        stop,
        omitEmpty({ containerNumber: part(container, 2), containerType: part(container, 3, 4) ?? part(container, 3) }),
      );
  return stops.length > 0 ? stops.map((stop, at) => ({ ...stop, sequence: at + 1 })) : undefined;
}

const days = {
  Loading: { period: ["200", "10", "11", "133", "186"], from: ["234", "252", "69"], to: ["235", "253"] },
  Unloading: { period: ["2", "17", "35", "132", "191"], from: ["64", "358"], to: ["63", "359"] },
} as const;

function stopOf(
  type: "Loading" | "Unloading",
  company: EdiSegment[] | undefined,
  place: EdiSegment[] | undefined,
  groups: readonly EdiSegment[][],
): OrderLocation | undefined {
  if (!company && !place) return undefined;
  const { country, ...address } = company?.[0] ? addressOf(company[0]) : ({} as EdiAddress);
  const code = part(place?.[0], 2);
  const town = part(place?.[0], 2, 4);
  const { period, from, to } = days[type];
  const near = [company ?? [], place ?? [], groups.flat()];
  const first = <T>(pick: (segments: readonly EdiSegment[]) => T | undefined) =>
    near.flatMap((segments) => pick(segments) ?? [])[0];
  const window = first((segments) => anyOf(segments, period));
  return omitEmpty<OrderLocation>({
    sequence: 0,
    type,
    startDate: first((segments) => anyOf(segments, from)?.start) ?? window?.start,
    endDate: first((segments) => anyOf(segments, to)?.start) ?? window?.end,
    ...address,
    city: address.city ?? town,
    countryCode: country ?? (code && /^[A-Z]{2}[A-Z2-9]{3}$/.test(code) ? code.slice(0, 2) : undefined),
    refrenceNumbers: company ? referencesIn(company, ["ON", "AAK", "CU", "ACE", "SRN", "DQ", "AAM"]) : [],
  });
}

const anyOf = (segments: readonly EdiSegment[], codes: readonly string[]) =>
  codes.flatMap((code) => dated(segments, code) ?? [])[0];

function dated(segments: readonly EdiSegment[], code: string): EdiPeriod | undefined {
  const segment = segments.find((each) => each.tag === "DTM" && part(each, 1) === code);
  const value = part(segment, 1, 2);
  const period = value && periodOf(value, part(segment, 1, 3));
  return period && period.start ? period : undefined;
}

function referencesIn(segments: readonly EdiSegment[], codes: readonly string[]): string[] {
  return unique(
    segments.map((segment) =>
      segment.tag === "RFF" && codes.includes(part(segment, 1) ?? "") ? part(segment, 1, 2) : undefined,
    ),
  );
}

const palletCodes = /^(?:2\d\d|P[XEDB]|A[FGH]|O[A-F]|PAL|PLT)$/u;
const kilograms: Record<string, number> = { KGM: 1, TNE: 1000, LBR: kilogramsPerPound };
const centimetres: Record<string, "mm" | "cm" | "m"> = { MMT: "mm", CMT: "cm", MTR: "m" };

function cargoOf(group: readonly EdiSegment[]): CargoItem | undefined {
  const item = group[0];
  const [count, packing] = [numberOf(part(item, 2)), part(item, 2, 2)];
  const measures = group.filter(({ tag }) => tag === "MEA");
  const measured = (test: (segment: EdiSegment) => boolean) => measures.find(test);
  const unit = (segment: EdiSegment) => part(segment, 3) ?? "";
  const gross = measured((each) => unit(each) in kilograms && !["AAC", "AAF", "N"].includes(part(each, 2) ?? ""));
  const weight = gross ?? measured((each) => unit(each) in kilograms);
  const size = findSegment(group, "DIM");
  const units = centimetres[part(size, 2) ?? ""];
  const range = findSegment(group, "RNG");
  const set = numberOf(part(findSegment(group, "TMP"), 2));
  const isPallet = palletCodes.test(packing ?? "") || /pal/iu.test(part(item, 2, 5) ?? "");
  return omitEmpty<CargoItem>({
    cargoType: textsIn(group, ["AAA", "PRD"]) ?? whole(findSegment(group, "IMD"), 3),
    weight: weight && scaled(numberOf(part(weight, 3, 2)), kilograms[unit(weight)]),
    ldm: numberOf(
      part(
        measured((each) => /^(?:LM|LMT|LDM|ULM)$/.test(part(each, 2) ?? unit(each))),
        3,
        2,
      ),
    ),
    volume: numberOf(
      part(
        measured((each) => unit(each) === "MTQ"),
        3,
        2,
      ),
    ),
    ...(isPallet ? { pallets: count } : { quantity: count }),
    ...(units && {
      length: numberOf(part(size, 2, 2)),
      width: numberOf(part(size, 2, 3)),
      height: numberOf(part(size, 2, 4)),
      units,
    }),
    adr: group.some(({ tag }) => tag === "DGS") || undefined,
    temeratureFrom: numberOf(part(range, 2, 2)) ?? set,
    temeratureTo: numberOf(part(range, 2, 3)) ?? set,
  });
}

function numberOf(text: string | undefined): number | undefined {
  const number = text === undefined ? Number.NaN : Number(text.replace(",", "."));
  return Number.isNaN(number) ? undefined : number;
}

function scaled(amount: number | undefined, factor = 1): number | undefined {
  return amount === undefined ? undefined : Math.round(amount * factor * 100) / 100;
}

function textsIn(segments: readonly EdiSegment[], codes: readonly string[]): string | undefined {
  const texts = segments.flatMap((segment) =>
    segment.tag === "FTX" && codes.includes(part(segment, 1) ?? "") ? (whole(segment, 4) ?? []) : [],
  );
  return texts.length > 0 ? texts.join(" ") : undefined;
}

/** If there are several charges and no total, the price is unknown. */
function paymentsOf(message: readonly EdiSegment[]): OrderView["payments"] {
  const amounts = message.filter(({ tag }) => tag === "MOA");
  const amountsWith = (codes: readonly string[]) => amounts.filter((each) => codes.includes(part(each, 1) ?? ""));
  const [total, charges] = [amountsWith(totalCodes)[0], amountsWith(chargeCodes)];
  const sum = total ?? (charges.length === 1 ? charges[0] : undefined);
  const price = numberOf(part(sum, 1, 2));
  const days = message.find((segment) => segment.tag === "PAT" && part(segment, 3, 3) === "D");
  const paymentDays = numberOf(part(days, 3, 4));
  const currency = part(sum, 1, 3) ?? part(findSegment(message, "CUX"), 1, 2);
  return omitEmpty({
    ...(price !== undefined && { price, basePrice: price, totalNetAmount: price, currency }),
    paymentDays,
  });
}

const totalCodes = ["128", "9"];
const chargeCodes = ["23", "64", "8"];

function valueOf(message: readonly EdiSegment[]): OrderView["cargoValue"] {
  const sum = message.find((segment) => segment.tag === "MOA" && ["44", "40"].includes(part(segment, 1) ?? ""));
  const value = numberOf(part(sum, 1, 2));
  return value === undefined ? undefined : omitEmpty({ value, currency: part(sum, 1, 3) });
}

const plate = (text: string | undefined) =>
  text && /\d/.test(text) && /\p{L}/u.test(text) ? bareCode(text) : undefined;
