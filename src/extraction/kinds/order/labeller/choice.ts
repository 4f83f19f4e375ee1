import { fields, holders } from "./fields.ts";
import type { OrderDraft } from "../../transport.ts";
import { daysBetweenDates } from "../../../entities/calendar.ts";
import type { Chance } from "./chances.ts";
import { chanceOf, type Forest } from "./forest.ts";

const kinds = { Loading: 1, Unloading: 2, Customs: 3, Stop: 4 };
const unknown = -99;
const widest = 60;
/** How far two values may differ in their place relative to their stops, in letter heights. */
const shift = 1.6;

const most = (numbers: readonly number[]) => Math.max(0, ...numbers);
const mean = (some: readonly Chance[]) => some.reduce((sum, { chance }) => sum + chance, 0) / some.length;
const dayOf = (moment: string) => moment.slice(0, 10);
const apart = (from: string | undefined, to: string | undefined) =>
  from === undefined || to === undefined
    ? unknown
    : Math.max(-widest, Math.min(widest, daysBetweenDates(dayOf(from), dayOf(to))));

/** Weighs the chances of a document against each other: a value belongs to one owner, and an owner has one value. */
export function weighed(all: readonly Chance[], draft: OrderDraft, forest: Forest): Chance[] {
  const valueOf = ({ candidate }: Chance) => String(candidate.value);
  const byOwner = Map.groupBy(all, ({ field, group }) => `${field.name}/${group.index}`);
  const byCandidate = Map.groupBy(all, ({ candidate }) => candidate);
  const byField = Map.groupBy(all, ({ field }) => field);
  const best = [...byOwner.values()].map((some) => ({ ...some[0]!, chance: most(some.map(({ chance }) => chance)) }));
  const bestOfGroup = Map.groupBy(best, ({ group }) => group);
  const bestOfField = Map.groupBy(best, ({ field }) => field);
  const stops = (draft.locations ?? []).map(({ startDate, endDate }) => startDate?.value ?? endDate?.value);
  return all.map((one) => ({ ...one, chance: chanceOf(forest, Float32Array.from(signsOf(one))) }));

  function signsOf(one: Chance): number[] {
    const { field, group, candidate, chance } = one;
    const own = byOwner.get(`${field.name}/${group.index}`)!;
    const others = own.filter((other) => valueOf(other) !== valueOf(one)).map((other) => other.chance);
    const same = own.filter((other) => valueOf(other) === valueOf(one)).map((other) => other.chance);
    const here = byCandidate.get(candidate)!;
    const isElsewhere = (other: Chance) => other.group !== group;
    const kin = most(here.filter((other) => other.field === field && isElsewhere(other)).map((other) => other.chance));
    const cross = most(
      here.filter((other) => other.field !== field && !isElsewhere(other)).map((other) => other.chance),
    );
    const crossed = most(
      here.filter((other) => other.field !== field && isElsewhere(other)).map((other) => other.chance),
    );
    const alike = [0, 1, 2].flatMap((at) => {
      const twins = one.keys[at]
        ? byField.get(field)!.filter((other) => other.keys[at] === one.keys[at] && other.candidate !== candidate)
        : [];
      return [twins.filter(isElsewhere), twins.filter((other) => !isElsewhere(other))].map((some) =>
        most(some.map((each) => each.chance)),
      );
    });
    const parallel = byField
      .get(field)!
      .filter(
        (other) =>
          isElsewhere(other) &&
          Math.max(Math.abs(other.fromTop - one.fromTop), Math.abs(other.fromLeft - one.fromLeft)) < shift,
      );
    return [
      fields.indexOf(field),
      chance,
      1 - same.reduce((rest, each) => rest * (1 - each), 1),
      most(others),
      others.filter((other) => other > chance).length,
      chance - most(others),
      same.length,
      kin,
      chance - kin,
      cross,
      chance - cross,
      crossed,
      stops.length,
      group.index,
      group.stop ? kinds[group.stop.kind] : 0,
      group.known.has(holders[field.name]!) ? 0 : 1,
      ...daysOf(one),
      candidate.segment.text.slice(candidate.start, candidate.end).length,
      candidate.entity ? 1 : 0,
      others.reduce((sum, each) => sum + each, 0),
      ...alike,
      most(parallel.map((each) => each.chance)),
      mean(bestOfGroup.get(group)!),
      mean(best),
      mean(bestOfField.get(field)!),
    ];
  }

  /** Days from the order, from the stop before, to the next stop, and from the known day of the stop itself. */
  function daysOf({ candidate: { sort, value }, group }: Chance): number[] {
    if (sort !== "Day") return [unknown, unknown, unknown, unknown];
    const day = String(value);
    const ordered = apart(draft.orderDate?.value, day);
    if (group.scope !== "stop") return [ordered, unknown, unknown, unknown];
    const before = stops.slice(0, group.index).findLast((each) => each !== undefined);
    const after = stops.slice(group.index + 1).find((each) => each !== undefined);
    return [ordered, apart(before, day), apart(day, after), apart(stops[group.index], day)];
  }
}
