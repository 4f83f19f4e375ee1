import type { Payments } from "../kinds/order-view.ts";
import type { ConceptId } from "../know/concepts.ts";
import { fold } from "../know/fold.ts";
import { says } from "./answers.ts";
import { bareFigures } from "./figures.ts";
import { Found, type Draft } from "./found.ts";
import type { Segment } from "./layout.ts";
import { sightings, type Sighting } from "./marks.ts";
import { assign, candidates, type Candidate, type Surroundings } from "./values.ts";
import { labelOf } from "./address.ts";

export type PaymentsDraft = NonNullable<Draft<Payments>>;

/** The parts of a price, by the labels of the trade. */
const charges = {
  BaseCharge: ["basePrice"],
  FuelSurcharge: ["fuelSurcharge"],
  Toll: ["toll"],
  WaitingTime: ["waitingTime"],
  AdditionalStop: ["additionalStop"],
  Customs: ["customsCharge"],
  Other: ["extraCharges"],
} as const satisfies Record<string, readonly ConceptId[]>;

type Charge = keyof typeof charges;
const sums: readonly ConceptId[] = ["netAmount", "totalPrice", "price", "grossAmount"];
const noCharge: ReadonlySet<ConceptId> = new Set(["vatAmount", "vatRate", "grossAmount", "cargoValue", "pricePerKm", "penalties", "unitPrice"]);
const cent = (amount: number) => Math.round(amount * 100) / 100;

interface Line {
  type: Charge;
  sighting: Sighting<"Amount">;
  score: number;
}

/** Price, its parts, currency and the terms of payment. */
export function paymentsIn(around: Surroundings): PaymentsDraft {
  const total = totalOf(around);
  const lines = chargesOf(around, total);
  const base = lines.find((line) => line.type === "BaseCharge") ?? remainder(around, total, lines);
  const extras = lines.filter((line) => line.type !== "BaseCharge" && line.sighting.entity !== total?.entity);
  return { ...prices(total, base, extras), ...currencyOf(around, total ?? base?.sighting), ...terms(around) };
}

function totalOf(around: Surroundings): Candidate<"Amount"> | undefined {
  const choices = candidates(around, { concepts: sums, types: ["Amount"] }).filter(({ entity }) => entity.value.amount > 0);
  const [best] = choices;
  if (!best || best.score < 0.35) return undefined;
  const explicit = choices.find((each) => (each.concept === "totalPrice" || each.concept === "netAmount") && each.score > 0.6 * best.score && !around.prose.has(each.segment));
  return explicit ?? best;
}

function chargesOf(around: Surroundings, total: Candidate<"Amount"> | undefined): Line[] {
  const choices = (Object.keys(charges) as Charge[]).flatMap((field) =>
    candidates(around, { concepts: charges[field], types: ["Amount"] })
      .filter(({ segment, entity, label }) => !around.prose.has(segment) && entity.value.amount > 0 && label.standing !== "Loose" && entity !== total?.entity)
      .map((candidate) => ({ field, candidate })),
  );
  const known = [...assign(choices, 0.4)].map(([type, candidate]) => ({ type, sighting: candidate, score: candidate.score }));
  return [...known, ...unknownLines(around, total, known)];
}

/** Amounts printed between the base price and the total are charges too, whatever they are called. */
function unknownLines(around: Surroundings, total: Candidate<"Amount"> | undefined, known: readonly Line[]): Line[] {
  const base = known.find((line) => line.type === "BaseCharge")?.sighting;
  if (!base || !total || base.segment.page !== total.segment.page || base.segment.row >= total.segment.row) return [];
  return sightings(around.marks, "Amount")
    .filter(({ segment, entity }) => {
      const between = segment.page === base.segment.page && segment.row > base.segment.row && segment.row < total.segment.row;
      const label = labelOf(around.marks, segment, entity.start);
      const other = label?.meanings.some((each) => noCharge.has(each.concept)) ?? false;
      return between && !other && !around.prose.has(segment) && !known.some((line) => line.sighting.entity === entity);
    })
    .map((sighting) => ({ type: "Other" as const, sighting, score: 0.5 }));
}

/** The amount that is missing to the total, where it is printed beside the other parts. */
function remainder(around: Surroundings, total: Candidate<"Amount"> | undefined, lines: readonly Line[]): Line | undefined {
  if (!total || lines.length === 0) return undefined;
  const rest = cent(total.entity.value.amount - lines.reduce((sum, line) => sum + line.sighting.entity.value.amount, 0));
  const sighting = sightings(around.marks, "Amount").find(
    ({ segment, entity }) => entity.value.amount === rest && segment.page === total.segment.page && Math.abs(segment.row - total.segment.row) < 15,
  );
  return sighting && rest > 0 ? { type: "BaseCharge", sighting, score: 0.7 } : undefined;
}

function found({ segment, entity }: Sighting<"Amount">, score: number): Found<number> {
  return new Found(entity.value.amount, score, { segment, start: entity.start, end: entity.end });
}

function prices(total: Candidate<"Amount"> | undefined, base: Line | undefined, extras: readonly Line[]): PaymentsDraft {
  const whole = total && found(total, total.score);
  const first = base && found(base.sighting, base.score);
  if (!first) return whole ? { price: whole, basePrice: whole, additionalCharges: whole.as(0, "Computed"), totalNetAmount: whole.as(whole.value, "Computed"), priceBreakdown: [{ type: whole.as("BaseCharge", "Computed"), amount: whole }] } : {};
  const added = cent(extras.reduce((sum, line) => sum + line.sighting.entity.value.amount, 0));
  const sum = cent(first.value + added);
  return {
    price: whole ?? first.as(sum, "Computed"),
    basePrice: first,
    additionalCharges: first.as(added, "Computed"),
    totalNetAmount: whole && Math.abs(whole.value - sum) < 0.01 ? whole : first.as(sum, "Computed"),
    priceBreakdown: [
      { type: first.as("BaseCharge", "Computed"), amount: first },
      ...extras.map((line) => {
        const amount = found(line.sighting, line.score);
        return { type: amount.as<string>(line.type, "Computed"), amount };
      }),
    ],
  };
}

function currencyOf(around: Surroundings, price: Sighting<"Amount"> | undefined): PaymentsDraft {
  const { currency } = price?.entity.value ?? {};
  if (price && currency) return { currency: new Found(currency, 0.9, { segment: price.segment, start: price.entity.start, end: price.entity.end }) };
  const votes = sightings(around.marks, "Amount").filter(({ segment, entity }) => entity.value.currency && !around.prose.has(segment));
  const first = votes[0];
  return price && first ? { currency: new Found(first.entity.value.currency as string, 0.6, { segment: first.segment, start: first.entity.start, end: first.entity.end }) } : {};
}

function terms(around: Surroundings): PaymentsDraft {
  const said = candidates(around, { concepts: ["paymentTerm", "paymentMethod"], types: ["Quantity"] }).find(({ segment, entity, score }) => entity.value.unit === "days" && entity.value.amount <= 180 && score >= 0.2 && !says("discount", segment.text));
  const bare = bareFigures(around, ["paymentTerm"], () => true).find(({ value }) => value > 0 && value <= 120);
  const days = said
    ? new Found(Math.round(said.entity.value.amount), said.score, { segment: said.segment, start: said.entity.start, end: said.entity.end })
    : bare && new Found(Math.round(bare.value), bare.score, bare.area);
  const method = methodOf(around, days?.piece?.segment);
  const inPln = around.marks.layout.segments.find(({ text }) => /\b(?:vat|ptu)\b.{0,40}\bpln\b|\bpln\b.{0,25}\bvat\b/u.test(fold(text).text));
  return {
    ...(days && { paymentDays: days }),
    ...(method && { paymentMethod: method }),
    ...(inPln && { isVatInPln: new Found(true, 0.8, { segment: inPln, start: 0, end: inPln.text.length }) }),
  };
}

const methods = [
  ["transfer", "BankTransfer"],
  ["cash", "Cash"],
  ["card", "Card"],
] as const;

/** Looked for beside the payment term, then under payment labels, then anywhere. */
function methodOf(around: Surroundings, term: Segment | undefined): PaymentsDraft["paymentMethod"] {
  const labelled = around.marks.labels.filter((label) => label.meanings.some((each) => each.concept === "paymentMethod" || each.concept === "paymentTerm"));
  const near = new Set([...(term ? [term] : []), ...labelled.map((label) => label.segment)]);
  for (const [segments, confidence] of [[[...near], 0.9], [around.marks.layout.segments, 0.6]] as const) {
    for (const segment of segments) {
      const method = methods.find(([word]) => says(word, segment.text) && (confidence > 0.8 || word === "transfer"));
      if (method) return new Found(method[1], confidence, { segment, start: 0, end: segment.text.length });
    }
  }
  return undefined;
}
