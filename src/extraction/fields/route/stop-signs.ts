import { conceptOf, type ConceptId } from "../../lexicon/concepts.ts";
import type { EntityOf, EntityType } from "../../entities/entity.ts";
import type { Address } from "../addresses/address.ts";
import type { Annotations } from "../labels/annotations.ts";
import { labelOf } from "../labels/line-label.ts";
import { indexAt, lineAbove } from "../../layout/page-index.ts";
import { verticalOverlap } from "../../document/geometry.ts";
import type { Segment } from "../../layout/layout.ts";
import { partyRoles, stopRoles, type Role } from "../sections/roles.ts";
import { distance, type Head } from "../sections/sections.ts";
import type { Item } from "./sequence.ts";
import type { StopItemContext } from "./stop-items.ts";
import { rulerOf, samePlace, type Stop } from "./stops.ts";

type Signs = Item["signs"];

/** An address, the stop that its heading makes it, and the lines around it. */
export interface Candidate {
  address: Address;
  stop: Stop | undefined;
  block: readonly Segment[];
}

const yes = (is: boolean | undefined) => (is ? 1 : 0);

/** Returns the features of a candidate, other than those in relation to the preceding one. */
export function signsAt(context: StopItemContext, all: readonly Candidate[], at: number): Signs {
  return { ...ownSigns(context, all[at]!), ...headSigns(context, all, at), ...orderSigns(all, at) };
}

function ownSigns(
  { document: { annotations, prose }, parties, uncertain, sections }: StopItemContext,
  { address, stop, block }: Candidate,
): Signs {
  const { segment, entity } = address.place;
  const page = annotations.layout.pages[segment.page - 1];
  const high = page ? segment.box.y0 / page.height : 0;
  const has = (type: EntityType) => yes(seen(annotations, block, type) !== undefined);
  const company = sections.partyRuling(address.first.segment, address.first.start)?.role;
  return {
    [`taken for ${stop?.kind ?? "none"}`]: stop ? stop.confidence : 1,
    party: yes(parties.has(address)),
    ...(parties.has(address) && { [`party ${company ?? "free"}`]: 1 }),
    uncertain: yes(uncertain.has(address)),
    ...nearestLabel(annotations, address),
    ...labelAbove(annotations, address),
    loadingWords: labelWeightIn(annotations, block, (concept) => conceptOf(concept).about === "Loading"),
    unloadingWords: labelWeightIn(annotations, block, (concept) => conceptOf(concept).about === "Unloading"),
    partyWords: labelWeightIn(annotations, block, (concept) => conceptOf(concept).about === "Party"),
    customsWords: labelWeightIn(annotations, block, (concept) => concept === "customs"),
    stopWords: labelWeightIn(annotations, block, (concept) => concept === "stop"),
    containerWords: labelWeightIn(annotations, block, (concept) => conceptOf(concept).about === "Container"),
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
    right: yes(page && segment.box.x0 > page.width * 0.45),
    listed: yes(listed.test(address.first.segment.text)),
    caption: yes(
      isCaption(annotations, lineAbove(annotations, address.first.segment)) ||
        isCaption(annotations, leftOf(annotations, address)),
    ),
  };
}

/** Returns what the label before the address, in its line or beside it, is about. */
function nearestLabel(annotations: Annotations, { first }: Address): Signs {
  const label = labelOf(annotations, first.segment, first.start);
  if (!label) return { "no label": 1 };
  const where = label.segment === first.segment ? "in line" : "beside";
  return Object.fromEntries(
    label.meanings.flatMap(({ concept, weight }) => [
      [`label ${where} about ${conceptOf(concept).about}`, weight],
      [`label ${concept}`, weight],
    ]),
  );
}

/** Returns the meanings of the labels on the line above the address. */
function labelAbove(annotations: Annotations, { first }: Address): Signs {
  const above = lineAbove(annotations, first.segment);
  const labels = above ? (annotations.labelsIn[above.index] ?? []) : [];
  return Object.fromEntries(
    labels.flatMap(({ meanings, standing }) =>
      meanings.flatMap(({ concept, weight }) =>
        standing === "Loose" ? [] : [[`above ${conceptOf(concept).about}`, weight] as const],
      ),
    ),
  );
}

const listed = /^\W*\d{1,2}(?:[.)]|\s*[-–])/u;

function headSigns({ sections }: StopItemContext, all: readonly Candidate[], at: number): Signs {
  const { address } = all[at]!;
  const head = rulerOf(sections, address);
  if (!head) return { "under none": 1 };
  const { segment } = address.first;
  const isNext = all.slice(0, at).some((other) => rulerOf(sections, other.address) === head);
  const role = groupOf(head);
  const way = head.label.segment.page === segment.page ? distance(head.label.segment, segment) : 20;
  const [best] = [...head.label.meanings].sort((one, other) => other.weight - one.weight);
  return {
    [`under ${role}`]: head.weight,
    ...(best && { [`head ${best.concept}`]: 1 }),
    [`${head.label.standing} ${role}`]: 1,
    ...(head.narrow && { [`field ${role}`]: 1 }),
    ...(isNext && { [`next under ${role}`]: 1 }),
    [`away from ${role}`]: Math.min(20, Number.isFinite(way) ? way : 20) / 20,
    numbered: yes(head.label.number !== undefined),
  };
}

const groupOf = ({ role }: Head<Role>) => (partyRoles.has(role) ? "Party" : stopRoles.has(role) ? role : "Other");

/** Features that depend on the other addresses of the document. */
function orderSigns(all: readonly Candidate[], at: number): Signs {
  const { address, stop } = all[at]!;
  const headed = (kind: Stop["kind"]) => all.some((other) => other.stop?.kind === kind && other.stop.heads.length > 0);
  const lacks = headed("Loading")
    ? headed("Unloading")
      ? "none"
      : "unloading"
    : headed("Unloading")
      ? "loading"
      : "both";
  const twin = (others: readonly Candidate[]) => others.filter((other) => samePlace(other.address, address));
  const twins = [...twin(all.slice(0, at)), ...twin(all.slice(at + 1))];
  const stands = stop ? "stop" : "free";
  return {
    [`${stands}, lacks ${lacks}`]: 1,
    [`of ${Math.min(all.length, 6)}`]: 1,
    first: yes(at === 0),
    second: yes(at === 1),
    last: yes(at === all.length - 1),
    ...(twins.length > 0 && {
      twin: 1,
      [`twin is ${twins.find((other) => other.stop)?.stop?.kind ?? "none"}`]: 1,
    }),
  };
}

/** Returns the features of a candidate in relation to the preceding one. */
export function besidesAt(
  { sections, document: { annotations } }: StopItemContext,
  before: Candidate,
  { address, block }: Candidate,
): Signs {
  const [one, other] = [before.address.first.segment, address.first.segment];
  const [head, headBefore] = [rulerOf(sections, address), rulerOf(sections, before.address)];
  const [earlier, later] = [dayIn(annotations, before.block), dayIn(annotations, block)];
  const onPage = one.page === other.page;
  const label = (of: Address) => labelOf(annotations, of.first.segment, of.first.start)?.meanings[0]?.concept;
  return {
    sameHead: yes(head !== undefined && head === headBefore),
    alike: yes(onPage && Math.abs(one.box.x0 - other.box.x0) < other.size),
    samePlace: yes(samePlace(before.address, address)),
    dayAfter: yes(earlier !== undefined && later !== undefined && earlier < later),
    dayBefore: yes(earlier !== undefined && later !== undefined && earlier > later),
    sameLine: yes(before.address.place.segment === address.place.segment),
    sameRow: yes(onPage && one !== other && verticalOverlap(one.box, other.box) > 0.5),
    sameTable: yes(one.cell !== undefined && one.cell.table === other.cell?.table),
    sameLabel: yes(label(address) !== undefined && label(address) === label(before.address)),
    near: yes(onPage && Math.abs(other.box.y0 - one.box.y1) < 6 * other.size),
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
  isMeant: (concept: ConceptId) => boolean,
): number {
  const weights = lines.flatMap(({ index }) =>
    (labelsIn[index] ?? []).flatMap(({ standing, meanings }) =>
      meanings.filter(({ concept }) => isMeant(concept)).map(({ weight }) => (standing === "Loose" ? 0.5 : 1) * weight),
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
