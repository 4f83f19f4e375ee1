import { countryOf } from "../../lexicon/countries.ts";
import type { Address } from "../../fields/addresses/address.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType } from "../../fields/labels/annotations.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { companyIn } from "../../fields/parties/company-in.ts";
import type { PartyDraft } from "../../fields/parties/party.ts";
import type { Owned, Segment } from "../../layout/layout.ts";
import { splitSpan, type TextSpan } from "../../layout/text-span.ts";
import { thresholds } from "../scores.ts";
import type { Box } from "./box.ts";
import { within, type Boxes } from "./boxes.ts";
import { scores } from "./scores.ts";

/** Finds the party in a box. */
export function partyIn(
  document: DocumentContext,
  addresses: readonly Address[],
  boxes: Boxes,
  box: Box,
): PartyDraft | undefined {
  return partyAmong(document, addresses, boxes.linesIn(box), within(boxes.parts, box));
}

function partyAmong(
  document: DocumentContext,
  addresses: readonly Address[],
  lines: readonly TextSpan[],
  owned: Owned,
): PartyDraft | undefined {
  const party = companyIn(document, addresses, lines, owned);
  if (!party?.name) return party;
  const name = withoutBoxNumber(party.name);
  const town = party.city ? undefined : townBehind(document, lines, name.value);
  const country = town && !party.country ? countryBehind(lines, town) : undefined;
  return { ...party, name, ...(town && { city: town }), ...(country && { country }) };
}

/** Cuts off the number of the box in "16 Hill Transport Ltd". */
function withoutBoxNumber(name: FieldValue<string>): FieldValue<string> {
  const text = name.value.replace(/^[([]?\d{1,2}[.):\]]*\s+(?=\p{L})/u, "");
  return text === name.value ? name : new FieldValue(text, name.confidence, name.span);
}

const apart = /,\s+|\s[–—-]\s|\s\/\s/gu;
const maxWords = 4;

/** Finds a town that is printed behind the name of the company, as in "Hill Transport Ltd, Dover", or below it alone. */
function townBehind(
  document: DocumentContext,
  lines: readonly TextSpan[],
  name: string,
): FieldValue<string> | undefined {
  const at = lines.findIndex(({ text }) => text.includes(name));
  for (const [index, line] of lines.slice(Math.max(0, at)).entries()) {
    const parts = splitSpan(line, apart);
    const behind = index === 0 && at >= 0 ? parts.slice(parts.findIndex(({ text }) => text.includes(name)) + 1) : parts;
    const known = entitiesOfType(document.annotations, "Place", [line.segment]).find(
      ({ entity }) => entity.value.city !== undefined && entity.score >= thresholds.entityInContext,
    );
    const town = behind.find(
      (part) => isTown(part.text) && (index === 0 || (known && part.text.includes(known.entity.value.city!))),
    );
    if (town) return new FieldValue(town.text.replace(/\s*\(.*$/u, ""), scores.town.unknown, town);
  }
  return undefined;
}

const isTown = (text: string): boolean =>
  /^\p{Lu}[\p{L}'’. -]+(?:\([^()]*\))?$/u.test(text) &&
  text.split(" ").length <= maxWords &&
  !/\p{L}\.$/u.test(text) &&
  !countryOf(text);

function countryBehind(lines: readonly TextSpan[], { span }: FieldValue<string>): FieldValue<string> | undefined {
  const line = lines.find(({ segment }) => segment === span?.segment);
  if (!line || !span) return undefined;
  const behind = splitSpan({ segment: line.segment, start: span.end, end: line.end }, /,\s*|\s[–—-]\s|[()]/gu);
  const named = behind.find(({ text }) => countryOf(text));
  return named && new FieldValue(countryOf(named.text)!, scores.country.printed, named);
}

/** Finds the successive carriers, one for each company that the box names. The box is usually empty. */
export function successiveIn(document: DocumentContext, boxes: Boxes, addresses: readonly Address[]): PartyDraft[] {
  const lines = boxes.linesIn("SuccessiveCarriers");
  const owned = within(boxes.parts, "SuccessiveCarriers");
  const firms = entitiesOfType(document.annotations, "Company").filter(
    ({ segment, entity }) => entity.score >= thresholds.entity && owned(segment, entity.end - 1),
  );
  return firms.flatMap(({ segment, entity }, at) => {
    const next = firms[at + 1];
    const isOwn = (other: Segment, position: number) =>
      owned(other, position) &&
      (at === 0 || !isBefore(other, position, segment, entity.start)) &&
      (!next || isBefore(other, position, next.segment, next.entity.start));
    const own = lines.filter((line) => isOwn(line.segment, line.end - 1));
    return partyAmong(document, addresses, own, isOwn) ?? [];
  });
}

const isBefore = (one: Segment, at: number, other: Segment, than: number): boolean =>
  one === other ? at < than : one.index < other.index;
