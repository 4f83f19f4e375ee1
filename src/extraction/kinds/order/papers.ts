import type { ConceptId } from "../../lexicon/concepts.ts";
import proofWords from "../../lexicon/proof-words.json" with { type: "json" };
import { foldText } from "../../lexicon/fold.ts";
import { lineAbove, lineBelow } from "../../layout/page-index.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import { takesInvoices } from "../../fields/parties/invoice-mailboxes.ts";
import { containsAnswer } from "../../fields/labels/answers.ts";
import { valueAreasOf } from "../../fields/labels/value-areas.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType, type Label } from "../../fields/labels/annotations.ts";
import { findCandidates, type DocumentContext } from "../../fields/labels/values.ts";
import type { OrderDraft } from "../transport.ts";
import { entityValue } from "../field-values.ts";
import { thresholds } from "../scores.ts";
import { scores } from "./scores.ts";

const submission: readonly { method: string; concept: ConceptId }[] = [
  { method: "Email", concept: "scansByEmail" },
  { method: "OriginalByPost", concept: "originalsByPost" },
  { method: "PortalUpload", concept: "portalUpload" },
];
const maxTextLength = 1000;

/** Extracts how documents are submitted, pallet exchange, secure parking, links and the free-text fields. */
export function papersIn(document: DocumentContext, draft: OrderDraft): Partial<OrderDraft> {
  const methods = submission.flatMap(({ method, concept }) => {
    const label = affirmedLabel(document, concept);
    return label ? [new FieldValue(method, scores.submission.labelled, label)] : [];
  });
  const scans = findCandidates(document, { concepts: ["requiredDocuments", "scansByEmail"], types: ["Email"] })[0];
  if (scans && scans.score >= scores.submission.minAddress && !methods.some((method) => method.value === "Email"))
    methods.unshift(entityValue("Email", scans, scores.submission.byAddress));
  const sent = methods.some((method) => method.value === "Email") ? undefined : papersMailed(document);
  if (sent) methods.unshift(new FieldValue("Email", scores.submission.byAddress, sent));
  const secure = affirmedLabel(document, "secureParking");
  const exchanged = draft.locations
    ?.flatMap((location) => location.cargo ?? [])
    .find((cargo) => cargo.palletsExchange?.value === true)?.palletsExchange;
  const capabilities = [
    ...(exchanged ? [exchanged.as("PalletsExchange", "Computed")] : []),
    ...(secure ? [new FieldValue("SecureParking", scores.secureParking, secure)] : []),
  ];
  const links = entitiesOfType(document.annotations, "Link").filter(
    ({ segment, entity }) =>
      /^https?:/iu.test(entity.value) && !labelledAs(document, segment.index, entity.start, "website"),
  );
  return {
    ...(methods.length > 0 && { documentSubmissionMethods: methods }),
    ...(capabilities.length > 0 && { capabilities }),
    ...(links.length > 0 && {
      links: links.map((link) => entityValue(link.entity.value, link, scores.link)),
    }),
    ...freeText(document, "comments", "remarks"),
    ...freeText(document, "driverComments", "driverInstructions"),
    ...freeText(document, "accountingComments", "accountingRemarks"),
    ...freeText(document, "penalties", "penalties"),
  };
}

const proof = new RegExp(
  `(?<!\\p{L})(?:${proofWords.whole.map(foldText).join("|")}|(?:${proofWords.stems.map(foldText).join("|")})\\p{L}*)(?!\\p{L})`,
  "u",
);

/** In "Invoice to x@…, CMR attached", the CMR note is sent to the mailbox for invoices. */
function papersMailed({ annotations }: DocumentContext): TextSpan | undefined {
  for (const { segment, entity } of entitiesOfType(annotations, "Email")) {
    const near = [segment, lineAbove(annotations, segment), lineBelow(annotations, segment)];
    const words = foldText(near.map((line) => line?.text ?? "").join(" "));
    if (takesInvoices(entity.value) && proof.test(words))
      return { segment, start: entity.start, end: entity.end, text: entity.value };
  }
  return undefined;
}

function affirmedLabel(document: DocumentContext, concept: ConceptId): Label | undefined {
  return document.annotations.labels.find(
    (label) =>
      !isNegated(label) && label.meanings.some((each) => each.concept === concept && each.weight >= thresholds.meaning),
  );
}

/** In "No originals by post", the label "originals by post" is negated. */
function isNegated({ segment, start, end }: Label): boolean {
  return (
    containsAnswer("no", segment.text.slice(Math.max(0, start - 12), start)) ||
    containsAnswer("no", segment.text.slice(end, end + 16))
  );
}

function labelledAs(document: DocumentContext, segment: number, at: number, concept: ConceptId): boolean {
  return (document.annotations.labelsIn[segment] ?? []).some(
    (label) => label.end <= at && label.meanings.some((each) => each.concept === concept),
  );
}

function freeText(
  document: DocumentContext,
  field: "comments" | "driverComments" | "accountingComments" | "penalties",
  concept: ConceptId,
): Partial<OrderDraft> {
  const label = document.annotations.labels.find(
    (each) =>
      each.standing === "Head" &&
      each.meanings.some((meaning) => meaning.concept === concept && meaning.weight >= thresholds.ambiguousMeaning),
  );
  if (!label) return {};
  const areas = valueAreasOf(document.annotations, label).filter((area) => area.way !== "Before");
  const [first] = areas;
  if (!first) return {};
  const words = areas
    .filter((area) => area.way === first.way || first.way === "Same")
    .map((area) => area.segment.text.slice(area.start, area.end));
  return { [field]: new FieldValue(words.join(" ").slice(0, maxTextLength), scores.text, first) };
}
