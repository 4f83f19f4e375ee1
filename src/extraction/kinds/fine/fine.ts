import type { MailHead } from "../../document/document.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import type { CompanyFacts, Reading, ReadingContext } from "../../document/reading.ts";
import type { EntityType, DocumentLocale } from "../../entities/entity.ts";
import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import { weightFor, entitiesOfType, type Label } from "../../fields/labels/annotations.ts";
import { titled } from "../../fields/labels/titles.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { withWrappedLabels } from "../../fields/labels/wrapped-labels.ts";
import { checkedReading } from "../checks.ts";
import type { FineView } from "./view.ts";
import { classifyDocument } from "../classify.ts";
import { amountValue, deadlinesIn, sumsIn } from "./payment.ts";
import { checkFine } from "./checks.ts";
import { offenceAtIn, offencePlaceIn } from "./offence.ts";
import { plateIn } from "./plate.ts";
import { paymentReferenceOf, referenceOf } from "./references.ts";
import { speedsIn } from "./speeds.ts";
import { authorityOf, offenceTypeOf } from "./words.ts";

type FineDraft = NonNullable<FieldValues<FineView>>;

/** Extracts the notice of a fine; undefined where the document is of another kind. */
export function extractFine(
  given: DocumentContext,
  seeing: DocumentLocale,
  { company }: ReadingContext,
  _mail: MailHead | undefined,
): Reading<FineView> | undefined {
  const around = withWrappedLabels(given);
  if (!isFine(around, company)) return undefined;
  return checkedReading<FineView>(draftOf(around, seeing, company), around, checkFine);
}

const telling: ReadonlySet<ConceptId> = new Set([
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

function isFine(around: DocumentContext, company: CompanyFacts): boolean {
  const said = (labels: readonly Label[]) =>
    new Set(
      labels.flatMap((label) =>
        label.meanings
          .filter(({ concept, weight }) => telling.has(concept) && weight >= 0.5)
          .map(({ concept }) => concept),
      ),
    ).size;
  const { labels } = around.annotations;
  const isTitled = titled(around, ["titleFine"]);
  if (said(labels) >= 3 || (isTitled && said(labels) >= 1)) return true;
  const firm = labels.filter(({ standing, segment }) => standing !== "Loose" && !around.prose.has(segment));
  const [likeliest] = classifyDocument(around);
  const other = likeliest && !compatibleKinds.has(likeliest.kind) && likeliest.confidence >= likely;
  const worded = labels.some((label) => label.segment.page === 1 && weightFor(label, notices) >= surelySaid);
  return (isTitled || worded || said(firm) > 0) && !other && said(labels) + signsOf(around, company) >= fewestSigns;
}

/** Results of the classifier that do not rule out a fine. */
const compatibleKinds: ReadonlySet<string> = new Set(["fine", "other", "statement"]);
const [likely, surelySaid] = [0.5, 0.9];
/** Titles that also occur in sentences of a notice: "... is to pay an administrative fine of ...". */
const notices: ReadonlySet<ConceptId> = new Set(["titleFine"]);
const fewestSigns = 4;

/** Counts what every fine has in any wording: authority, plate, amount, date with time, known offence. */
function signsOf(around: DocumentContext, company: CompanyFacts): number {
  const types = (type: EntityType, least: number) =>
    entitiesOfType(around.annotations, type).some(({ entity }) => entity.score >= least);
  return [
    authorityOf(around, company) !== undefined,
    offenceTypeOf(around, false) !== undefined,
    types("Plate", 0.3),
    entitiesOfType(around.annotations, "Amount").some(({ entity }) => entity.value.currency !== undefined),
    types("Date", 0.5) && types("Time", 0.5),
  ].filter(Boolean).length;
}

function draftOf(around: DocumentContext, seeing: DocumentLocale, company: CompanyFacts): FineDraft {
  const speeds = speedsIn(around);
  const reference = referenceOf(around);
  const authority = authorityOf(around, company);
  const offenceAt = offenceAtIn(around, seeing);
  const place = offencePlaceIn(around, offenceAt?.span);
  const type = offenceTypeOf(around, speeds.measuredSpeed !== undefined);
  const [iban] = entitiesOfType(around.annotations, "Iban");
  const paymentReference = paymentReferenceOf(around);
  const { amount, discounted, currency } = sumsIn(around);
  return {
    ...(reference && { reference }),
    ...(authority && { authority }),
    ...(offenceAt && { offenceAt }),
    ...(place && { place }),
    ...(type && { offenceType: type }),
    ...speeds,
    ...plateIn(around),
    ...(amount && { amount: amountValue(amount) }),
    ...(currency && { currency }),
    ...(discounted && { discountedAmount: amountValue(discounted) }),
    ...deadlinesIn(around, seeing, discounted, offenceAt?.value),
    ...(iban && { iban: new FieldValue(iban.entity.value, 0.95, { ...iban.entity, segment: iban.segment }) }),
    ...(paymentReference && { paymentReference }),
  };
}
