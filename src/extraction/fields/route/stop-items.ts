import { conceptOf } from "../../lexicon/concepts.ts";
import type { EntityOf, EntityType } from "../../entities/entity.ts";
import type { Address } from "../addresses/address.ts";
import type { Annotations } from "../labels/annotations.ts";
import { labelOf } from "../labels/line-label.ts";
import { indexAt, lineAbove } from "../../layout/page-index.ts";
import { boundingBox as boxAround, horizontalOverlap } from "../../document/geometry.ts";
import type { Segment } from "../../layout/layout.ts";
import type { DocumentContext } from "../labels/values.ts";
import { partyRoles, stopRoles, type Role, type Sections } from "../sections/roles.ts";
import { distance, type Head } from "../sections/sections.ts";
import type { Item, Part } from "./sequence.ts";
import { rulerOf, samePlace, type Route, type Stop } from "./stops.ts";

/** An address that may be a stop, with its part in the route according to the headings. */
export interface StopItem extends Item {
  address: Address;
  /** The stop according to its heading. */
  stop?: Stop;
  /** The part according to its heading; undefined if the heading is only "stop". */
  part?: Part;
}

/** Input from which the features are computed. */
export interface StopItemContext {
  document: DocumentContext;
  sections: Sections;
  addresses: readonly Address[];
  /** The addresses that are only places without the marks of an address. */
  uncertain: ReadonlySet<Address>;
  parties: ReadonlySet<Address>;
  route: Route;
}

/** Returns the addresses in reading order, column by column, with their features. Customs offices are left out. */
export function stopItemsOf(context: StopItemContext): StopItem[] {
  const stopOf = (address: Address) =>
    context.route.stops.find((stop) => stop.address === address) ??
    context.route.stops.find((stop) => stop.heads.length > 0 && rules(context, stop, address));
  const items = inColumns(context.addresses)
    .map((address) => ({ address, stop: stopOf(address) }))
    .filter(({ stop }) => stop?.kind !== "Customs");
  const blocks = items.map(({ address }, at) =>
    blockOf(context, address, items[at - 1]?.address, items[at + 1]?.address),
  );
  return items.map(({ address, stop }, at) => {
    const head = rulerOf(context.sections, address);
    const before = items[at - 1];
    return {
      address,
      ...(stop && { stop }),
      ...(stop?.kind !== "Stop" && { part: (stop?.kind ?? "Outside") as Part }),
      signs: { ...signsOf(context, address, stop, blocks[at]!), ...headSigns(context, head, address, at, items) },
      besides: before ? beside(context, before.address, address, blocks[at - 1]!, blocks[at]!) : {},
    };
  });
}

function rules({ sections }: StopItemContext, stop: Stop, address: Address): boolean {
  const head = rulerOf(sections, address);
  return head !== undefined && stop.heads.includes(head) && samePlace(stop.address, address);
}

function inColumns(addresses: readonly Address[]): Address[] {
  return [...Map.groupBy(addresses, ({ place }) => place.segment.page)].flatMap(([, onPage]) => {
    const columns: { x0: number; x1: number; members: Address[] }[] = [];
    const boxes = onPage.map((address) => ({ ...boxOf(address), members: [address] }));
    for (const { x0, x1, members } of boxes.sort((a, b) => a.x0 - b.x0)) {
      const left = columns.at(-1);
      if (left && x0 < left.x1) {
        left.x1 = Math.max(left.x1, x1);
        left.members.push(...members);
      } else columns.push({ x0, x1, members });
    }
    return columns.flatMap(({ members }) =>
      members.sort(
        (a, b) => a.place.segment.index - b.place.segment.index || a.place.entity.start - b.place.entity.start,
      ),
    );
  });
}

const boxOf = ({ segments, place: { segment } }: Address) =>
  boxAround(segments.filter(({ page }) => page === segment.page).map(({ box }) => box));

/** Maximum distance of text that may refer to an address, in letter heights. */
const around = 5;

/**
 * Returns the lines around an address: those beside it, those above it that follow the preceding address, and those
 * below it that precede the next heading or address.
 */
function blockOf(
  { document: { annotations }, sections }: StopItemContext,
  address: Address,
  before?: Address,
  next?: Address,
): Segment[] {
  const { segment } = address.place;
  const box = boxOf(address);
  const rows = new Set(address.segments.map(({ row }) => row));
  const heads = new Set(sections.heads.flatMap(({ role, label }) => (isSection(role) ? [label.segment] : [])));
  const lines = indexAt(annotations.layout, segment)
    .between(box.y0 - around * segment.size, box.y1 + around * segment.size)
    .filter((line) => rows.has(line.row) || horizontalOverlap(line.box, box) > 0);
  const ends = lines.find((line) => line.index > segment.index && line.row !== segment.row && heads.has(line));
  const from = before?.place.segment.page === segment.page ? before.place.segment.index : -1;
  const to = Math.min(next ? next.first.segment.index : Infinity, ends?.index ?? Infinity);
  return lines.filter((line) => rows.has(line.row) || (line.index > from && line.index < to));
}

const isSection = (role: Role) => stopRoles.has(role) || partyRoles.has(role);

const yes = (is: boolean | undefined) => (is ? 1 : 0);

function signsOf(
  { document: { annotations, prose }, parties, uncertain }: StopItemContext,
  address: Address,
  stop: Stop | undefined,
  block: readonly Segment[],
): Record<string, number> {
  const { segment, entity } = address.place;
  const page = annotations.layout.pages[segment.page - 1];
  const high = page ? segment.box.y0 / page.height : 0;
  const has = (type: EntityType) => yes(seen(annotations, block, type) !== undefined);
  return {
    [`taken for ${stop?.kind ?? "none"}`]: stop ? stop.confidence : 1,
    party: yes(parties.has(address)),
    uncertain: yes(uncertain.has(address)),
    ...nearestLabel(annotations, address),
    loadingWords: labelWeightIn(annotations, block, "Loading"),
    unloadingWords: labelWeightIn(annotations, block, "Unloading"),
    partyWords: labelWeightIn(annotations, block, "Party"),
    day: has("Date"),
    hours: has("Time"),
    goods: has("Quantity"),
    vat: has("Vat"),
    phone: has("Phone"),
    email: has("Email"),
    account: has("Iban"),
    amount: has("Amount"),
    code: yes(entity.value.postalCode !== undefined),
    street: yes(address.street !== undefined),
    name: yes(address.name !== undefined),
    firm: yes(address.named),
    score: entity.score,
    prose: yes(prose.has(segment)),
    quoted: yes(annotations.layout.parts[segment.part]?.quoted),
    cell: yes(segment.cell !== undefined),
    top: yes(segment.page === 1 && high < 0.2),
    foot: yes(high > 0.88),
    later: yes(segment.page > 1),
    listed: yes(listed.test(address.first.segment.text)),
    caption: yes(
      isCaption(annotations, lineAbove(annotations, address.first.segment)) ||
        isCaption(annotations, leftOf(annotations, address)),
    ),
  };
}

/** Returns what the label before the address, in its line or beside or above it, is about. */
function nearestLabel(annotations: Annotations, { first }: Address): Record<string, number> {
  const label = labelOf(annotations, first.segment, first.start);
  if (!label) return { "no label": 1 };
  const where =
    label.segment === first.segment ? "in line" : label.segment.row === first.segment.row ? "beside" : "above";
  return Object.fromEntries(
    label.meanings.map(({ concept, weight }) => [`label ${where} about ${conceptOf(concept).about}`, weight]),
  );
}

const listed = /^\W*\d{1,2}(?:[.)]|\s*[-–])/u;

function headSigns(
  { sections }: StopItemContext,
  head: Head<Role> | undefined,
  address: Address,
  at: number,
  items: readonly { address: Address }[],
): Record<string, number> {
  if (!head) return { "under none": 1 };
  const { segment } = address.first;
  const isNext = items.slice(0, at).some((other) => rulerOf(sections, other.address) === head);
  const role = isSection(head.role) ? (partyRoles.has(head.role) ? "Party" : head.role) : "Other";
  const way = head.label.segment.page === segment.page ? distance(head.label.segment, segment) : 20;
  return {
    [`under ${role}`]: head.weight,
    ...(isNext && { [`next under ${role}`]: 1 }),
    [`away from ${role}`]: Math.min(20, Number.isFinite(way) ? way : 20) / 20,
    numbered: yes(head.label.number !== undefined),
  };
}

function beside(
  { sections, document: { annotations } }: StopItemContext,
  before: Address,
  address: Address,
  blockBefore: readonly Segment[],
  block: readonly Segment[],
): Record<string, number> {
  const [one, other] = [before.first.segment, address.first.segment];
  const head = rulerOf(sections, address);
  const [earlier, later] = [dayIn(annotations, blockBefore), dayIn(annotations, block)];
  return {
    sameHead: yes(head !== undefined && head === rulerOf(sections, before)),
    alike: yes(one.page === other.page && Math.abs(one.box.x0 - other.box.x0) < other.size),
    samePlace: yes(samePlace(before, address)),
    dayAfter: yes(earlier !== undefined && later !== undefined && earlier < later),
    dayBefore: yes(earlier !== undefined && later !== undefined && earlier > later),
  };
}

function seen<T extends EntityType>(
  { entitiesIn }: Annotations,
  lines: readonly Segment[],
  type: T,
): EntityOf<T> | undefined {
  for (const { index } of lines) {
    const found = (entitiesIn[index] ?? []).find(
      (entity): entity is EntityOf<T> => entity.type === type && entity.score >= sureEntity,
    );
    if (found) return found;
  }
  return undefined;
}

const sureEntity = 0.4;

/** Returns the first date, as a number that increases with the date. */
function dayIn(annotations: Annotations, lines: readonly Segment[]): number | undefined {
  const value = seen(annotations, lines, "Date")?.value;
  return value && ((value.year ?? 0) * 12 + value.month) * 31 + value.day;
}

function labelWeightIn(
  { labelsIn }: Annotations,
  lines: readonly Segment[],
  about: "Loading" | "Unloading" | "Party",
): number {
  const weights = lines.flatMap(({ index }) =>
    (labelsIn[index] ?? []).flatMap(({ standing, meanings }) =>
      meanings
        .filter(({ concept }) => conceptOf(concept).about === about)
        .map(({ weight }) => (standing === "Loose" ? 0.5 : 1) * weight),
    ),
  );
  return Math.max(0, ...weights);
}

const longestCaption = 30;

/** Whether a line is short and has no labels or entities. It may be a heading that is not in the lexicon. */
function isCaption({ labelsIn, entitiesIn }: Annotations, line: Segment | undefined): boolean {
  if (!line || line.text.length > longestCaption || !/\p{L}{3}/u.test(line.text)) return false;
  if ((labelsIn[line.index] ?? []).length > 0) return false;
  return !(entitiesIn[line.index] ?? []).some(({ score }) => score >= sureEntity);
}

function leftOf({ layout }: Annotations, { first: { segment } }: Address): Segment | undefined {
  const row = indexAt(layout, segment).rowOf(segment);
  return row[row.indexOf(segment) - 1];
}
