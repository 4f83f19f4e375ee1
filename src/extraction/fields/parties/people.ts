import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import { valueAreasOf } from "../labels/value-areas.ts";
import type { Annotations, Label, LocatedEntity } from "../labels/annotations.ts";
import type { DocumentContext } from "../labels/values.ts";
import clerks from "../../lexicon/clerk-words.json" with { type: "json" };
import greeted from "../../lexicon/greeting-words.json" with { type: "json" };
import { foldText } from "../../lexicon/fold.ts";
import { indexAt } from "../../layout/page-index.ts";
import type { Segment } from "../../layout/layout.ts";

const person =
  /^(?:\p{Lu}[\p{L}\p{M}.'’-]*)(?:\s+(?:(?:de|da|di|del|dos|van|von|der|den|la|le|du)\s+)*\p{Lu}[\p{L}\p{M}.'’-]*){1,4}/u;
const titles =
  /^(?:(?:mr|mrs|ms|miss|pan|pani|herrn?|frau|fr|hr|sra?|srta|mme|mlle|dr|sig\.ra|sig\.na|sig|dhr|de heer|heer|mevr|mevrouw|mw|dl|dna|gosp|att|attn|z\s?hd|пан|пані|г-н|г-жа|[dmp](?=[. ]))(?!\p{L})\.?\s*)+/iu;

/** Matches a name with an initial instead of a first name, as in "M. Sample, extension 214". */
const initialled = /^\p{Lu}\. ?\p{Lu}[\p{L}\p{M}'’-]+(?![\p{L}\p{M}'’-]| \p{Lu}\p{Ll})/u;

/** Finds a person's name in the areas nearest to a label. */
export function personAt(document: DocumentContext, label: Label): TextSpan | undefined {
  for (const area of valueAreasOf(document.annotations, label)) {
    if (area.order > (area.way === "Right" ? 1 : 0) || area.way === "Before") continue;
    const text = area.segment.text.slice(area.start, area.end);
    const titled = titles.exec(text)?.[0].length ?? 0;
    const skipped = initialled.test(text) ? 0 : titled;
    const match = person.exec(text.slice(skipped));
    if (!match) continue;
    const end = area.start + skipped + match[0].length;
    const cut = (document.annotations.labelsIn[area.segment.index] ?? []).find(
      (other) => other.start > area.start + skipped && other.start < end && other.standing !== "Loose",
    );
    const span = trimmedSpan(area.segment, area.start + skipped, cut?.start ?? end);
    const company = (document.annotations.entitiesIn[area.segment.index] ?? []).some(
      (entity) => entity.type === "Company" && entity.start < span.end && entity.end > span.start,
    );
    if (span.text.includes(" ") && !company) return span;
  }
  return undefined;
}

/** Matches a name of two or three capitalised words. */
export const personName = /^\p{Lu}[\p{L}\p{M}'’-]+(?:\s\p{Lu}[\p{L}\p{M}'’.-]*){1,2}$/u;

/** Finds a name that is alone on a line above an e-mail address or phone number, in the same column. */
export function wordsAbove(document: DocumentContext, near: LocatedEntity | undefined): TextSpan | undefined {
  if (!near) return undefined;
  const { segment } = near;
  const rows = document.annotations.layout.pages[segment.page - 1]?.rows ?? [];
  const above = rows
    .flat()
    .filter(
      (other) =>
        other.row < segment.row &&
        segment.row - other.row <= 3 &&
        Math.abs(other.box.x0 - segment.box.x0) < segment.size,
    )
    .toReversed()
    .find(
      (other) =>
        personName.test(other.text) &&
        !(document.annotations.entitiesIn[other.index] ?? []).some(
          (entity) => entity.type !== "Reference" && entity.score > 0.4,
        ),
    );
  return above && { segment: above, start: 0, end: above.text.length, text: above.text };
}

const greetings = greeted.greetings.map(foldText);
const nobody: ReadonlySet<string> = new Set(greeted.nobody.map(foldText));
const lastGreeting = 14;
const shortName = /^\p{Lu}[\p{L}\p{M}'’.-]+(?: \p{Lu}[\p{L}\p{M}'’-]+){0,2}(?=\s*(?:[,!;:–-]|$))/u;

/** Finds the person whom a letter greets: "Dear Mr Hill,". Names that a language inflects in an address are left out. */
export function greetedPerson({ annotations }: DocumentContext): TextSpan | undefined {
  for (const segment of annotations.layout.segments) {
    if (segment.page > 1 || segment.row > lastGreeting) return undefined;
    const folded = foldText(segment.text.slice(0, 30));
    const greeting = greetings.find((word) => folded.startsWith(`${word} `) || folded.startsWith(`${word}, `));
    if (!greeting || foldText(segment.text.slice(0, greeting.length)) !== greeting) continue;
    const rest = segment.text.slice(greeting.length).replace(/^,/u, "").trimStart();
    const titled = titles.exec(rest)?.[0].length ?? 0;
    const name = shortName.exec(rest.slice(titled))?.[0];
    if (!name || name.split(" ").some((word) => nobody.has(foldText(word)))) continue;
    const start = segment.text.length - rest.length + titled;
    const isCompany = (annotations.entitiesIn[segment.index] ?? []).some(
      (entity) => entity.type === "Company" && entity.start < start + name.length && entity.end > start,
    );
    if (!isCompany) return wholeName(annotations, { segment, start, end: start + name.length, text: name });
  }
  return undefined;
}

/** Returns the first name with the surname that is printed elsewhere. */
function wholeName({ layout, entitiesIn }: Annotations, first: TextSpan): TextSpan {
  if (first.text.includes(" ")) return first;
  for (const segment of layout.segments) {
    const start = segment.text.indexOf(`${first.text} `);
    const [text] = start < 0 ? [] : (personStart.exec(segment.text.slice(start)) ?? []);
    const end = start + (text?.length ?? 0);
    const isOther = (entitiesIn[segment.index] ?? []).some(
      (entity) => (entity.type === "Company" || entity.type === "Street") && entity.start < end && entity.end > start,
    );
    const isPart = /[\p{L}\p{N}]$/u.test(segment.text.slice(0, Math.max(0, start)));
    if (text && !isOther && !isPart) return { segment, start, end, text };
  }
  return first;
}

const personStart = /^\p{Lu}[\p{L}\p{M}'’-]+ \p{Lu}\p{Ll}[\p{L}\p{M}'’-]+(?=\s*(?:$|[,;:.()|/–-]))/u;

const clerkWords: ReadonlySet<string> = new Set(clerks.map(foldText));

/**
 * Whether a label such as "Handled by" is before the position on its line, or alone to its left. The person after it is
 * the author of the order, even among the lines of the recipient.
 */
export function isClerkContact({ layout, labelsIn }: Annotations, segment: Segment, at: number): boolean {
  const row = indexAt(layout, segment).rowOf(segment);
  const left = row[row.indexOf(segment) - 1];
  const own = (labelsIn[segment.index] ?? []).some((label) => label.start <= at && namesClerk(label));
  return own || (left !== undefined && (labelsIn[left.index] ?? []).some(headsAlone));
}

const headsAlone = (label: Label): boolean =>
  namesClerk(label) && label.standing === "Head" && !/[\p{L}\p{N}]/u.test(label.segment.text.slice(label.end));

const namesClerk = ({ segment, start, end, standing }: Label): boolean =>
  standing !== "Loose" && clerkWords.has(foldText(segment.text.slice(start, end)));
