import { addressesOf } from "../../fields/addresses/address.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import { sightings } from "../../fields/labels/annotations.ts";
import { addressOf, nameOf, type Block, type PartyDraft } from "../../fields/parties/party.ts";
import { taxNumberOf } from "../../fields/parties/tax-numbers.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";

const topRows = 4;
/** "Entry: Langres North": a place of the journey. */
const captioned = /^\p{L}[\p{L} .]{1,24}\s?:\s/u;

/** The first address of the receipt; without one the company or the words on its top. */
export function merchantIn(around: DocumentContext): PartyDraft | undefined {
  const address = addressesOf(around.marks, around.countries).find(
    ({ place: { entity, segment } }) => entity.value.postalCode !== undefined || !captioned.test(segment.text),
  );
  const company = sightings(around.marks, "Company").find(({ entity }) => entity.score >= 0.4);
  const name =
    company &&
    new FieldValue(company.entity.value, 0.7, {
      segment: company.segment,
      start: company.entity.start,
      end: company.entity.end,
    });
  const block: Block<string> = {
    role: "Merchant",
    ...(address && { address }),
    ...(name && { name }),
    confidence: 0.85,
  };
  const named = nameOf(block);
  const top = named.name ? named : topName(around);
  const located = addressOf(block);
  const street = located.street ?? (address && streetAbove(around, address.place.segment));
  const draft = {
    ...top,
    ...taxNumberOf(around, block, () => true, [block], new Set()),
    ...located,
    ...(street && { street }),
  };
  return Object.keys(draft).length > 0 ? draft : undefined;
}

/** On a till roll every line is centred: the street is the whole line above the town. */
function streetAbove({ marks }: DocumentContext, place: Segment): FieldValue<string> | undefined {
  const rows = marks.layout.pages[place.page - 1]?.rows ?? [];
  const at = rows.findIndex((row) => row.includes(place));
  const [line, ...others] = rows[at - 1] ?? [];
  if (!line || others.length > 0 || !/\p{L}{3}.*\d/u.test(line.text) || line.text.length > 40) return undefined;
  const labelled = (marks.labelsIn[line.index] ?? []).some(({ standing }) => standing === "Head");
  return labelled ? undefined : new FieldValue(line.text, 0.7, { segment: line, start: 0, end: line.text.length });
}

function topName({ marks }: DocumentContext): PartyDraft {
  const opensField = (index: number) =>
    (marks.labelsIn[index] ?? []).some(
      ({ standing, start, meanings }) =>
        standing !== "Loose" &&
        meanings.some(({ concept, weight }) => weight >= 0.6 && (start <= 2 || concept.startsWith("title"))),
    );
  const segment = marks.layout.segments
    .filter(({ page, row }) => page === 1 && row < topRows)
    .find(({ text, index }) => /\p{L}{3}/u.test(text) && !/\d{3}|\p{L}\s?:\s/u.test(text) && !opensField(index));
  return segment ? { name: new FieldValue(segment.text, 0.5, { segment, start: 0, end: segment.text.length }) } : {};
}
