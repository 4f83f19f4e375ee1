import known from "../../lexicon/invoice-mailboxes.json" with { type: "json" };
import { foldText } from "../../lexicon/fold.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { FieldValue } from "../confidence/field-value.ts";
import { labelOf } from "../labels/line-label.ts";
import { entitiesOfType, type LocatedEntity } from "../labels/annotations.ts";
import type { DocumentContext } from "../labels/values.ts";

const words = new Set(known.words.map(foldText));
const mailboxes = known.mailboxes.map(foldText);
const other: ReadonlySet<ConceptId> = new Set(["contactPerson", "driver", "loadingContact", "unloadingContact"]);
const reach = 90;
const least = 0.5;

/** Finds the mailbox for invoices. It is identified by its name ("billing@…") or by a word for invoices before it. */
export function invoiceMailbox(document: DocumentContext): FieldValue<string> | undefined {
  const [best] = entitiesOfType(document.annotations, "Email")
    .map((sighting) => ({ sighting, score: sureness(document, sighting) }))
    .filter(({ score }) => score >= least)
    .sort((a, b) => b.score - a.score);
  if (!best) return undefined;
  const { segment, entity } = best.sighting;
  return new FieldValue(entity.value, best.score, { segment, start: entity.start, end: entity.end });
}

/** Whether the name of a mailbox refers to invoicing. */
export function takesInvoices(address: string): boolean {
  const mailbox = foldText(address.split("@")[0] ?? "");
  return mailboxes.some((word) => mailbox.startsWith(word)) || /(?:^|[._-])(?:fv|ap|faktura)$/u.test(mailbox);
}

function sureness({ annotations }: DocumentContext, { segment, entity }: LocatedEntity<"Email">): number {
  const named = takesInvoices(entity.value);
  const before = segment.text.slice(Math.max(0, entity.start - reach), entity.start);
  const clause = before.split(/[.!?;]\s|@\S+/u).at(-1) ?? "";
  const label = labelOf(annotations, segment, entity.start);
  const asked = label?.segment === segment || !label ? clause : label.segment.text.slice(label.start);
  const isWorded = (foldText(asked).match(/\p{L}+/gu) ?? []).some((word) => words.has(word));
  const others = label?.meanings.some(({ concept, weight }) => other.has(concept) && weight >= 0.5) ?? false;
  return (named ? 0.6 : 0) + (isWorded ? 0.55 : 0) - (others ? 0.3 : 0);
}
