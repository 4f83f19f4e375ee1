import type { Address } from "../addresses/address.ts";
import { indexAt } from "../../layout/page-index.ts";
import { boundingBox as boxAround, horizontalOverlap } from "../../document/geometry.ts";
import type { Segment } from "../../layout/layout.ts";
import type { DocumentContext } from "../labels/values.ts";
import { partyRoles, stopRoles, type Role, type Sections } from "../sections/roles.ts";
import type { Item, Part } from "./sequence.ts";
import { besidesAt, signsAt } from "./stop-signs.ts";
import { rulerOf, samePlace, type Route, type Stop } from "./stops.ts";

/** An address that may be a stop, with its part in the route according to the headings. */
export interface StopItem extends Item {
  address: Address;
  /** The stop according to its heading. */
  stop?: Stop;
  /** The part according to its heading. */
  part: Part;
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

/** Returns the addresses in reading order, column by column, with their features. */
export function stopItemsOf(context: StopItemContext): StopItem[] {
  const stopOf = (address: Address) =>
    context.route.stops.find((stop) => stop.address === address) ??
    context.route.stops.find((stop) => stop.heads.length > 0 && rules(context, stop, address));
  const items = inColumns(context.addresses).map((address) => ({ address, stop: stopOf(address) }));
  const all = items.map((item, at) => ({
    ...item,
    block: blockOf(context, item.address, items[at - 1]?.address, items[at + 1]?.address),
  }));
  return all.map(({ address, stop }, at) => ({
    address,
    ...(stop && { stop }),
    part: stop?.kind ?? "Outside",
    signs: signsAt(context, all, at),
    besides: at > 0 ? besidesAt(context, all[at - 1]!, all[at]!) : {},
  }));
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
