import type { StructuredPart } from "../../document/document.ts";
import type { ExtractedItem, ExtractionContext } from "../../document/extraction-result.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { withChecks } from "../checks.ts";
import { ordersInEdifact } from "./edifact.ts";
import { ordersInOtm } from "./otm.ts";
import { ordersInX12 } from "./x12.ts";
import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import { plain } from "../../fields/parties/party.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import type { OrderView } from "./view.ts";
import { checkOrder } from "./checks.ts";
import { scores } from "./scores.ts";

const maxOrders = 500;

/**
 * Extracts orders from structured data in the file: EDIFACT, X12 and Open Trip Model. Missing values are not inferred.
 */
export function ordersInData(
  structured: readonly StructuredPart[],
  document: DocumentContext,
  _locale: DocumentLocale,
  { today }: ExtractionContext,
): ExtractedItem<OrderView>[] {
  const views = structured.flatMap((part) => [...ordersInEdifact(part), ...ordersInX12(part), ...ordersInOtm(part)]);
  const shown = new Map<string, Segment>();
  for (const segment of document.annotations.layout.segments)
    for (const word of wordsOf(segment.text)) if (!shown.has(word)) shown.set(word, segment);
  return views.slice(0, maxOrders).map((view) => {
    document.budget.check();
    return withChecks<OrderView>(withEvidence(view, shown) as FieldValues<OrderView>, document, (data) =>
      checkOrder(data, today),
    );
  });
}

const wordsOf = (text: string) => text.split(/[+:*'~]/u).map(plain);

/** Shorter numbers occur too often in a file to be evidence. */
const minDigits = 4;

/** The evidence of a value is the line of the file that contains it. */
function withEvidence(value: unknown, shown: ReadonlyMap<string, Segment>): unknown {
  if (Array.isArray(value)) return value.map((each) => withEvidence(each, shown));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withEvidence(each, shown)]));
  const printed = String(value);
  const segment = typeof value === "number" && printed.length < minDigits ? undefined : shown.get(plain(printed));
  const start = segment?.text.indexOf(printed) ?? -1;
  const whole = segment && { segment, start: 0, end: segment.text.length };
  return new FieldValue(
    value,
    scores.structured,
    segment && start >= 0 ? { segment, start, end: start + printed.length } : whole,
  );
}
