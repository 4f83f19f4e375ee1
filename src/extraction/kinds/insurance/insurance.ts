import type { ConceptId } from "../../lexicon/concepts.ts";
import type { ExtractedItem } from "../../document/extraction-result.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { addressesOf } from "../../fields/addresses/address.ts";
import { findCodes } from "../../fields/labels/codes.ts";
import { companyIn, linesOf } from "../../fields/parties/company-in.ts";
import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import { entitiesOfType, weightFor } from "../../fields/labels/annotations.ts";
import { groupedNumberAt } from "../../fields/labels/grouped-number.ts";
import { valueAreasOf } from "../../fields/labels/value-areas.ts";
import { numbersIn } from "../../fields/labels/numbered.ts";
import { partsOf } from "../../fields/sections/parts.ts";
import { plain, type PartyDraft } from "../../fields/parties/party.ts";
import type { TextRange } from "../../layout/text-span.ts";
import { titled } from "../../fields/labels/titles.ts";
import { findCandidates, type FieldCandidate, type DocumentContext } from "../../fields/labels/values.ts";
import { withWrappedLabels } from "../../fields/labels/wrapped-labels.ts";
import { withChecks } from "../checks.ts";
import { classifyDocument } from "../classify.ts";
import { entityValue, numberValue, uniqueByValue } from "../field-values.ts";
import { checkInsurance } from "./checks.ts";
import { periodIn } from "./period.ts";
import { scores } from "./scores.ts";
import { territoryIn } from "./territory.ts";
import type { InsuranceView } from "./view.ts";
import {
  holderInSentence,
  insuranceKindOf,
  insurerOf,
  insures,
  isConfirmationLetter,
  numberInSentence,
  speaksOfInsurance,
  withoutLeadingWords,
} from "./words.ts";

type PolicyDraft = NonNullable<FieldValues<InsuranceView>>;

/** Extracts an insurance policy or certificate. Undefined if the document is of another kind. */
export function extractInsurance(
  unprepared: DocumentContext,
  locale: DocumentLocale,
): ExtractedItem<InsuranceView> | undefined {
  const document = withWrappedLabels(unprepared);
  if (!isPolicy(document)) return undefined;
  return withChecks<InsuranceView>(draftOf(document, locale), document, checkInsurance);
}

const policyLabels: ReadonlySet<ConceptId> = new Set([
  "policyNumber",
  "insurer",
  "policyHolder",
  "insurancePeriod",
  "sumInsured",
  "deductible",
  "premium",
  "territory",
]);

function isPolicy(document: DocumentContext): boolean {
  const labelled = new Set(
    document.annotations.labels.flatMap((label) =>
      label.standing === "Loose"
        ? []
        : label.meanings
            .filter(({ concept, weight }) => policyLabels.has(concept) && weight >= scores.policyLabel)
            .map(({ concept }) => concept),
    ),
  );
  if (labelled.size >= 3 || (titled(document, ["titleInsurance", "policyNumber"]) && labelled.size >= 1)) return true;
  const [likeliest] = classifyDocument(document);
  if (likeliest?.kind === "insurance" && (labelled.size >= 1 || likeliest.confidence >= scores.classified)) return true;
  return isConfirmationLetter(document);
}

function draftOf(document: DocumentContext, locale: DocumentLocale): PolicyDraft {
  const holderValue = holderIn(document);
  const holder = holderValue && withoutLeadingWords(holderValue);
  const number = policyNumberOf(document);
  const insurer = insurerOf(document, holder?.name?.value);
  const kind = insuranceKindOf(document);
  return {
    ...(kind && { kind }),
    ...(number && { policyNumber: number }),
    ...(insurer && { insurer }),
    ...(holder && { policyHolder: holder }),
    ...periodIn(document, locale),
    ...sumIn(document),
    territory: territoryIn(document),
    licensePlates: platesIn(document),
  };
}

function policyNumberOf(document: DocumentContext): FieldValue<string> | undefined {
  const at = scores.policyNumber;
  const grouped = groupedNumberOf(document);
  if (grouped) return grouped;
  const [own] = findCodes(document, ["policyNumber"]).filter(({ score }) => score >= at.ownLabel.min);
  if (own) return numberValue(document, own.span, own.score);
  const titled = numberOfTitle(document);
  if (titled) return numberValue(document, titled, at.inTitle);
  const [named] = findCodes(document, ["titleInsurance"]).filter(
    ({ score, label, span }) =>
      score >= at.afterTitle.min && label.standing === "Head" && minFigures <= figuresIn(span.text),
  );
  if (named) return numberValue(document, named.span, named.score * at.afterTitle.factor);
  const bare = numberInHead(document);
  if (bare) return numberValue(document, bare, at.topOfPage);
  const inSentence = numberInSentence(document);
  if (inSentence) return numberValue(document, inSentence, at.inSentence);
  const [other] = findCodes(document, ["orderNumber", "reference", "registrationNumber"]).filter(
    ({ score, label }) =>
      score >= at.otherLabel.min && label.meanings.some(({ concept }) => concept !== "registrationNumber"),
  );
  return other && numberValue(document, other.span, other.score * at.otherLabel.factor);
}

/** Finds numbers of several groups behind their label: "CMR-UA 004/0087713", "OCP-M 900417722". */
function groupedNumberOf(document: DocumentContext): FieldValue<string> | undefined {
  const { ownLabel } = scores.policyNumber;
  const found = document.annotations.labels.flatMap((label) => {
    const weight = weightFor(label, policyNumber) * (label.standing === "Loose" ? ownLabel.loose : 1);
    if (weight < ownLabel.minWeight) return [];
    return valueAreasOf(document.annotations, label)
      .filter(({ way, crossed, order }) => way !== "Before" && crossed === 0 && order < 2)
      .flatMap(({ segment, start, end, way, order }) => {
        const span = groupedNumberAt(document, segment, start, end, way === "Same");
        const score = weight - order / 10 - (way === "Below" ? ownLabel.below : 0) - segment.page / 100;
        return span && span.text.length >= minLength ? [{ span, score }] : [];
      });
  });
  const [best] = found.sort((one, other) => other.score - one.score);
  return best && new FieldValue(best.span.text, Math.min(0.95, best.score), best.span);
}

const policyNumber: ReadonlySet<ConceptId> = new Set(["policyNumber"]);
const minLength = 6;

const minFigures = 4;
const figuresIn = (text: string): number => text.replace(/\D/gu, "").length;

/** Finds "4711/26" in "CERTIFICATE No. 4711/26". */
function numberOfTitle(document: DocumentContext): TextRange | undefined {
  for (const { segment, end, meanings } of document.annotations.labels) {
    const isTitle = meanings.some(({ concept }) => concept === "titleInsurance") && !document.prose.has(segment);
    const number = isTitle ? numbersIn(segment.text).find(({ start }) => start >= end) : undefined;
    if (number) return { segment, ...number };
  }
  return undefined;
}

const headRows = 8;

function numberInHead(document: DocumentContext): TextRange | undefined {
  for (const row of document.annotations.layout.pages[0]?.rows.slice(0, headRows) ?? []) {
    if (!speaksOfInsurance(row.map(({ text }) => text).join(" "))) continue;
    for (const segment of row) {
      const number = document.prose.has(segment) ? undefined : numbersIn(segment.text).at(-1);
      if (number && figuresIn(number.text) >= minFigures) return { segment, ...number };
    }
  }
  return undefined;
}

const roles = {
  policyHolder: "Holder",
  customer: "Holder",
  insurer: "Insurer",
  issuedBy: "Other",
  insurancePeriod: "Other",
  validFrom: "Other",
  validTo: "Other",
  sumInsured: "Other",
  insuranceLimit: "Other",
  deductible: "Other",
  premium: "Other",
  territory: "Other",
  insuranceKind: "Other",
  policyNumber: "Other",
  plates: "Other",
  vehicle: "Other",
  remarks: "Other",
  terms: "Other",
  paymentMethod: "Other",
  email: "Other",
  website: "Other",
  signature: "Other",
} as const satisfies Partial<Record<ConceptId, string>>;

function holderIn(document: DocumentContext): PartyDraft | undefined {
  const parts = partsOf<"Holder" | "Insurer" | "Other">(document, roles);
  const labels = new Set(parts.heads.map(({ label }) => label));
  const heads = parts.heads.filter(({ role }) => role === "Holder").sort((a, b) => b.weight - a.weight);
  const addresses = addressesOf(document.annotations, document.countries);
  const parties = heads.slice(0, maxHeads).flatMap((head) => {
    const owned = (segment: Segment, at: number) =>
      parts.headAt(segment, at) === head && isNear(head.label.segment, segment);
    const lines = linesOf(document, owned, labels);
    return lines.length > 0 ? (companyIn(document, addresses, lines, owned) ?? []) : [];
  });
  const [best] = parties.filter(({ name }) => name).sort((a, b) => rateHolder(b) - rateHolder(a));
  const addressed = best?.city ? undefined : addressee(document);
  return best
    ? { ...(addressed && sameName(best, addressed) && addressed), ...best }
    : (addressee(document) ?? holderInSentence(document));
}

const maxHeads = 6;

function rateHolder(party: PartyDraft): number {
  const { properName, perField } = scores.policyHolder;
  const name = party.name?.value ?? "";
  const isName = /^\p{Lu}[^\d@]*$/u.test(name) && name.includes(" ");
  return (party.name?.confidence ?? 0) + (isName ? properName : 0) + perField * Object.keys(party).length;
}

function sameName({ name }: PartyDraft, other: PartyDraft): boolean {
  return name !== undefined && other.name !== undefined && plain(other.name.value).includes(plain(name.value));
}

const maxDistance = 14;

function isNear(head: Segment, segment: Segment): boolean {
  return head.page === segment.page && (segment.box.y0 - head.box.y1) / head.size < maxDistance;
}

/** An address of an insurer is not that of the addressee. */
function addressee(document: DocumentContext): PartyDraft | undefined {
  const address = addressesOf(document.annotations, document.countries).find(
    ({ place, name, segments }) =>
      place.segment.page === 1 &&
      name &&
      place.entity.value.postalCode &&
      !document.prose.has(place.segment) &&
      !segments.some(({ text }) => insures(text)),
  );
  if (!address) return undefined;
  const segments = new Set(address.segments);
  return companyIn(document, [address], [], (segment) => segments.has(segment));
}

/** The concepts for speeds are included, because "limit" and "excess" are also labels of speeds. */
function sumIn(document: DocumentContext): Pick<PolicyDraft, "sumInsured" | "currency"> {
  const others = findCandidates(document, {
    concepts: ["insuranceLimit", "deductible", "premium", "speedExcess"],
    types: ["Amount"],
  });
  const sums = findCandidates(document, { concepts: ["sumInsured", "speedLimit"], types: ["Amount"] }).filter(
    (sum) =>
      sum.entity.value.amount >= 100 &&
      sum.score >= scores.sumInsured.min &&
      !others.some((other) => other.entity === sum.entity && other.score > sum.score),
  );
  const [best] = sums.sort((a, b) => rateSum(b) - rateSum(a));
  if (!best) return {};
  const currency = best.entity.value.currency;
  const shared =
    currency ??
    entitiesOfType(document.annotations, "Amount", [best.segment]).find(({ entity }) => entity.value.currency)?.entity
      .value.currency;
  return {
    sumInsured: entityValue(best.entity.value.amount, best, best.score),
    ...(shared && { currency: entityValue(shared, best, best.score) }),
  };
}

function rateSum({ score, entity, segment, label }: FieldCandidate<"Amount">): number {
  const { currency, perPage, looseLabel } = scores.sumInsured;
  return (
    score +
    (entity.value.currency ? currency : 0) +
    perPage * (segment.page - 1) +
    (label.standing === "Loose" ? looseLabel : 0)
  );
}

/** A plate without a label counts only in the same segment or column as a labelled one. */
function platesIn(document: DocumentContext): FieldValue<string>[] {
  const behind = findCandidates(document, {
    concepts: ["plates", "truckPlate", "trailerPlate", "vehicle"],
    types: ["Plate"],
  }).filter(({ score }) => score >= scores.plate.labelled.min);
  const segments = new Set(behind.map(({ segment }) => segment));
  const beside = entitiesOfType(document.annotations, "Plate").filter(
    ({ segment, entity }) => segments.has(segment) && entity.score >= scores.plate.listed.min,
  );
  const listed = entitiesOfType(document.annotations, "Plate").filter(
    ({ segment, entity }) =>
      behind.length > 0 &&
      entity.score >= scores.plate.listed.min &&
      behind.some(
        (other) =>
          other.segment.page === segment.page && Math.abs(other.segment.box.x0 - segment.box.x0) < 2 * segment.size,
      ) &&
      entity.end - entity.start >= segment.text.length - 2,
  );
  const all = [...behind, ...beside, ...listed].sort(
    (a, b) => a.segment.index - b.segment.index || a.entity.start - b.entity.start,
  );
  const plates = all.map((plate) =>
    entityValue(plate.entity.value.plate, plate, scores.plate.base + plate.entity.score),
  );
  return uniqueByValue(plates);
}
