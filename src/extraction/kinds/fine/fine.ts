import type { MailHead } from "../../document/document.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import type { CompanyFacts, ExtractedItem, ExtractionContext } from "../../document/extraction-result.ts";
import type { EntityType, DocumentLocale } from "../../entities/entity.ts";
import type { FieldValues } from "../../fields/confidence/field-value.ts";
import { weightFor, entitiesOfType, type Label } from "../../fields/labels/annotations.ts";
import { titled } from "../../fields/labels/titles.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { withWrappedLabels } from "../../fields/labels/wrapped-labels.ts";
import { withChecks } from "../checks.ts";
import type { FineView } from "./view.ts";
import { classifyDocument } from "../classify.ts";
import { entityValue } from "../field-values.ts";
import { thresholds } from "../scores.ts";
import { authorityOf } from "./authority.ts";
import { checkFine } from "./checks.ts";
import { deadlinesIn, offenceAtIn } from "./dates.ts";
import { offenceTypeOf, speedsIn } from "./offence.ts";
import { amountValue, sumsIn } from "./payment.ts";
import { offencePlaceIn } from "./place.ts";
import { plateIn } from "./plate.ts";
import { paymentReferenceOf } from "./payment-reference.ts";
import { referenceOf } from "./references.ts";
import { scores } from "./scores.ts";

type FineDraft = NonNullable<FieldValues<FineView>>;

/** Extracts the notice of a fine. Undefined if the document is of another kind. */
export function extractFine(
  unprepared: DocumentContext,
  locale: DocumentLocale,
  { company }: ExtractionContext,
  _mail: MailHead | undefined,
): ExtractedItem<FineView> | undefined {
  const document = withWrappedLabels(unprepared);
  if (!isFine(document, company)) return undefined;
  return withChecks<FineView>(draftOf(document, locale, company), document, checkFine);
}

const distinctive: ReadonlySet<ConceptId> = new Set([
  "offenceDate",
  "offencePlace",
  "offenceKind",
  "fineAmount",
  "discountedFine",
  "increasedFine",
  "measuredSpeed",
  "countedSpeed",
  "speedLimit",
  "fineReference",
]);

function isFine(document: DocumentContext, company: CompanyFacts): boolean {
  const likely = classifyDocument(document);
  const fine = likely.find(({ kind }) => kind === "fine");
  if (fine && fine.confidence >= scores.recognition.minLikelihood) return true;
  const countConcepts = (labels: readonly Label[]) =>
    new Set(
      labels.flatMap((label) =>
        label.meanings
          .filter(({ concept, weight }) => distinctive.has(concept) && weight >= thresholds.meaning)
          .map(({ concept }) => concept),
      ),
    ).size;
  const { labels } = document.annotations;
  const isTitled = titled(document, ["titleFine"]);
  if (countConcepts(labels) >= 3 || (isTitled && countConcepts(labels) >= 1)) return true;
  const firm = labels.filter(({ standing, segment }) => standing !== "Loose" && !document.prose.has(segment));
  const [first] = likely;
  const isTitledInSentence = labels.some(
    (label) => label.segment.page === 1 && weightFor(label, titles) >= scores.recognition.minTitleInSentence,
  );
  return (
    (isTitled || isTitledInSentence || countConcepts(firm) > 0) &&
    (!first || first.confidence < thresholds.kind || compatibleKinds.has(first.kind)) &&
    countConcepts(labels) + countSigns(document, company) >= minSigns
  );
}

const compatibleKinds: ReadonlySet<string> = new Set(["fine", "other", "statement"]);
/** Titles that also occur in sentences, as in "... is to pay an administrative fine of ...". */
const titles: ReadonlySet<ConceptId> = new Set(["titleFine"]);
const minSigns = 4;

function countSigns(document: DocumentContext, company: CompanyFacts): number {
  const has = (type: EntityType, min: number = thresholds.entity) =>
    entitiesOfType(document.annotations, type).some(({ entity }) => entity.score >= min);
  return [
    authorityOf(document, company) !== undefined,
    offenceTypeOf(document, false) !== undefined,
    has("Plate", scores.recognition.minPlate),
    entitiesOfType(document.annotations, "Amount").some(({ entity }) => entity.value.currency !== undefined),
    has("Date") && has("Time"),
  ].filter(Boolean).length;
}

function draftOf(document: DocumentContext, locale: DocumentLocale, company: CompanyFacts): FineDraft {
  const speeds = speedsIn(document);
  const reference = referenceOf(document);
  const authority = authorityOf(document, company);
  const offenceAt = offenceAtIn(document, locale);
  const place = offencePlaceIn(document, offenceAt?.span);
  const type = offenceTypeOf(document, speeds.measuredSpeed !== undefined, offenceAt?.span);
  const [iban] = entitiesOfType(document.annotations, "Iban");
  const paymentReference = paymentReferenceOf(document);
  const { amount, discounted, currency } = sumsIn(document);
  return {
    ...(reference && { reference }),
    ...(authority && { authority }),
    ...(offenceAt && { offenceAt }),
    ...(place && { place }),
    ...(type && { offenceType: type }),
    ...speeds,
    ...plateIn(document),
    ...(amount && { amount: amountValue(amount) }),
    ...(currency && { currency }),
    ...(discounted && { discountedAmount: amountValue(discounted) }),
    ...deadlinesIn(document, locale, { amount, discounted }, offenceAt?.value),
    ...(iban && { iban: entityValue(iban.entity.value, iban, scores.iban) }),
    ...(paymentReference && { paymentReference }),
  };
}
