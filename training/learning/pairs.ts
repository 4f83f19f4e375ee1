import type { ConceptId } from "../../src/extraction/lexicon/concepts.ts";
import type { EntityType } from "../../src/extraction/entities/entity.ts";
import { findCodes } from "../../src/extraction/fields/labels/codes.ts";
import { findBareNumbers } from "../../src/extraction/fields/labels/figures.ts";
import { findCandidates, type Features, type DocumentContext } from "../../src/extraction/fields/labels/values.ts";

/**
 * A label and a value near it. `right` tells whether, according to the truth, the field of the label has this value.
 */
export interface Pair {
  features: Features;
  right: boolean;
}

type Truth = Record<string, unknown>;
type Value = string | number;

interface Question {
  concepts: readonly ConceptId[];
  /** The type of the entities; undefined for codes. */
  type?: EntityType;
  /** Returns the expected values: [null] if the document has none, [] if the truth does not cover the field. */
  wanted: (truth: Truth) => readonly unknown[];
  /** Converts an entity's value to the notation of the truth. */
  read: (value: never) => Value | undefined;
}

const at = (node: unknown, ...path: string[]): unknown[] =>
  path.reduce<unknown[]>(
    (nodes, name) =>
      nodes.flatMap((each) => (each as Truth | null)?.[name] ?? (name in ((each ?? {}) as Truth) ? [null] : [])),
    [node],
  );
const orNone = (values: unknown[]) => (values.length > 0 ? values : [null]);
const sum =
  (...names: string[]) =>
  (truth: Truth) =>
    names.flatMap((name) => at(truth, "payments", name));
const charge = (type: string) => (truth: Truth) =>
  orNone(
    at(truth, "payments", "priceBreakdown")
      .filter((each) => (each as Truth).type === type)
      .map((each) => (each as Truth).amount),
  );
const amount = ({ amount: value }: { amount: number }) => value;
const inKilograms = ({ amount: value, unit }: { amount: number; unit: string }) =>
  ({ kg: value, t: value * 1000, lb: Math.round(value * 45.359237) / 100 })[unit];
const only =
  (wanted: string) =>
  ({ amount: value, unit }: { amount: number; unit: string }) =>
    unit === wanted ? value : undefined;
const day = ({ year, month, day: date }: { year?: number; month: number; day: number }) =>
  `${year ?? ""}-${String(month).padStart(2, "0")}-${String(date).padStart(2, "0")}`;
const days = (name: string, type?: string) => (truth: Truth) =>
  at(truth, "locations")
    .filter((each) => type === undefined || (each as Truth).type === type)
    .flatMap((each) => at(each, name))
    .map((each) => String(each).slice(0, 10));
const cargo = (name: string) => (truth: Truth) => orNone(at(truth, "locations", "cargo", name));
const text = (value: string) => value;

/** The labels that the order extraction searches for, with the expected values. */
const questions: readonly Question[] = [
  {
    concepts: ["netAmount", "totalPrice", "price", "grossAmount"],
    type: "Amount",
    wanted: sum("price", "totalNetAmount"),
    read: amount,
  },
  { concepts: ["basePrice"], type: "Amount", wanted: sum("basePrice"), read: amount },
  { concepts: ["fuelSurcharge"], type: "Amount", wanted: charge("FuelSurcharge"), read: amount },
  { concepts: ["toll"], type: "Amount", wanted: charge("Toll"), read: amount },
  { concepts: ["extraCharges"], type: "Amount", wanted: charge("Other"), read: amount },
  { concepts: ["cargoValue"], type: "Amount", wanted: (truth) => at(truth, "cargoValue", "value"), read: amount },
  {
    concepts: ["distance"],
    type: "Quantity",
    wanted: (truth) => orNone(at(truth, "distance").map(Number)),
    read: only("km"),
  },
  { concepts: ["paymentTerm", "paymentMethod"], type: "Quantity", wanted: sum("paymentDays"), read: only("days") },
  {
    concepts: ["grossWeight", "weight", "netWeight", "goods"],
    type: "Quantity",
    wanted: cargo("weight"),
    read: inKilograms,
  },
  {
    concepts: ["pallets", "quantity", "packaging", "goods"],
    type: "Quantity",
    wanted: cargo("pallets"),
    read: only("pallets"),
  },
  { concepts: ["loadingMetres"], type: "Quantity", wanted: cargo("ldm"), read: only("ldm") },
  { concepts: ["volume"], type: "Quantity", wanted: cargo("volume"), read: only("m3") },
  { concepts: ["orderDate"], type: "Date", wanted: (truth) => at(truth, "orderDate"), read: day },
  { concepts: ["loadingDate"], type: "Date", wanted: days("startDate", "Loading"), read: day },
  { concepts: ["unloadingDate"], type: "Date", wanted: days("startDate", "Unloading"), read: day },
  { concepts: ["invoiceEmail", "payer"], type: "Email", wanted: (truth) => at(truth, "invoiceEmail"), read: text },
  { concepts: ["incoterms"], type: "Incoterm", wanted: (truth) => at(truth, "incoterms"), read: text },
  {
    concepts: ["truckPlate", "trailerPlate", "plates", "vehicle", "driver"],
    type: "Plate",
    wanted: (truth) => orNone([...at(truth, "vehiclesLicensePlates"), ...at(truth, "trailersLicensePlates")]),
    read: ({ plate }: { plate: string }) => plate.replace(/[^\p{L}\p{N}]/gu, ""),
  },
  {
    concepts: ["driverPhone", "driver"],
    type: "Phone",
    wanted: (truth) => orNone(at(truth, "carrier", "drivers", "phone")),
    read: digits,
  },
  {
    concepts: ["orderNumber", "titleTransportOrder", "reference"],
    wanted: (truth) => at(truth, "orderNumber"),
    read: text,
  },
  {
    concepts: ["loadingReference", "unloadingReference", "customerReference", "reference", "bookingNumber"],
    wanted: (truth) => orNone([...at(truth, "locations", "refrenceNumbers"), ...at(truth, "referenceNumber")]),
    read: text,
  },
];

function digits(value: string): string {
  return value.replace(/\D/gu, "").slice(-7);
}

/**
 * Finds every pair of a label and a nearby value that the engine scores in an order, and judges it by the truth. An
 * expected value that the document contains more than once is left out, because it is unknown to which occurrence the
 * label belongs. Fields that the truth does not cover are left out.
 */
export function pairsIn(document: DocumentContext, truth: Truth): Pair[] {
  return questions.flatMap((question): Pair[] => {
    const spoken = question.wanted(truth);
    if (spoken.length === 0) return [];
    const wanted = spoken.filter((each) => each !== null).map((each) => say(question, each));
    const found = asked(document, question);
    const places = new Map<Value, Set<string>>();
    for (const { value, place } of found) places.set(value, (places.get(value) ?? new Set()).add(place));
    const rights = new Set(wanted.filter((each) => (places.get(each)?.size ?? 0) <= 1));
    return found
      .filter(({ value }) => rights.has(value) || !wanted.includes(value))
      .map(({ features, value }) => ({ features, right: rights.has(value) }));
  });
}

/** Converts an expected value to the notation of the entities: a phone number to its digits. */
function say({ type }: Question, wanted: unknown): Value {
  return type === "Phone" ? digits(String(wanted)) : (wanted as Value);
}

function asked(
  document: DocumentContext,
  { concepts, type, read }: Question,
): { features: Features; value: Value; place: string }[] {
  if (!type)
    return findCodes(document, concepts).map(({ features, span: piece }) => ({
      features,
      value: piece.text,
      place: `${piece.segment.index} ${piece.start}`,
    }));
  const seen = findCandidates(document, { concepts, types: [type] }).flatMap(({ features, entity, segment }) => {
    const value = read(entity.value as never);
    return value === undefined || !features ? [] : [{ features, value, place: `${segment.index} ${entity.start}` }];
  });
  const bare =
    type === "Quantity"
      ? findBareNumbers(
          document,
          concepts.filter((concept) => concept !== "goods" && concept !== "paymentMethod"),
          () => true,
        ).map(({ features, value, area }) => ({ features, value, place: `${area.segment.index} ${area.start}` }))
      : [];
  return [...seen, ...bare];
}
