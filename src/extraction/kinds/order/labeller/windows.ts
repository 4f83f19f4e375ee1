import type { Chance } from "./chances.ts";
import { logistic } from "../../../linear-model.ts";

/** Weights of the signs that a begin or an end of a window is right. */
export interface WindowModel {
  weights: readonly number[];
  bias: number;
}

/** Begin or end of the time window of a stop, with the text of its hour, or else of its day. */
export interface Moment {
  value: string;
  chance: number;
  source: Chance["candidate"];
}

/** The likely values of the days and hours of one stop, best first. */
export type StopChances = Readonly<Record<"day" | "lastDay" | "startHour" | "endHour", readonly Chance[]>>;

const likely = 0.4;
const sure = 0.5;
const lowest = 0.003;
const logit = (chance: number) => Math.log(Math.max(chance, lowest) / Math.max(1 - chance, lowest));
const top = (some: readonly Chance[]) => some[0]?.chance ?? lowest;
const margin = (some: readonly Chance[]) =>
  top(some) -
  Math.max(
    0,
    ...some.filter(({ candidate }) => candidate.value !== some[0]?.candidate.value).map(({ chance }) => chance),
  );
const chance = ({ weights, bias }: WindowModel, signs: readonly number[]) =>
  logistic(signs.reduce((sum, sign, at) => sum + sign * weights[at]!, bias));

/** The begin of the window. */
export function beginOf({ day, startHour, endHour }: StopChances, model: WindowModel): Moment | undefined {
  const [best, hour] = [day[0], startHour[0]];
  if (!best) return undefined;
  const timed = top(startHour) >= likely ? 1 : 0;
  const signs = [
    logit(best.chance),
    margin(day),
    logit(top(startHour)) * timed,
    logit(top(startHour)) * (1 - timed),
    margin(startHour) * timed,
    timed,
    logit(top(endHour)),
  ];
  return {
    value: timed ? `${best.candidate.value}T${hour!.candidate.value}:00` : String(best.candidate.value),
    chance: chance(model, signs),
    source: (timed ? hour! : best).candidate,
  };
}

/** The end of the window. `begin` is its begin, if the document gives one. */
export function endOf(
  { day, lastDay, endHour }: StopChances,
  begin: string | undefined,
  model: WindowModel,
): Moment | undefined {
  const start = begin?.slice(0, 10) ?? (top(day) >= sure ? String(day[0]?.candidate.value) : undefined);
  if (!start) return undefined;
  const last = lastDay[0] && String(lastDay[0].candidate.value);
  const different = last !== undefined && last > start && top(lastDay) >= sure ? 1 : 0;
  const timed = top(endHour) >= likely ? 1 : 0;
  if (!timed && !different) return undefined;
  const date = different ? last! : start;
  const signs = [
    logit(top(endHour)) * timed,
    logit(top(endHour)) * (1 - timed),
    margin(endHour) * timed,
    different,
    logit(top(lastDay)) * different,
    !different && last === start ? logit(top(lastDay)) : 0,
    begin ? 0 : logit(top(day)),
    begin ? 0 : 1,
    timed,
  ];
  return {
    value: timed ? `${date}T${endHour[0]!.candidate.value}:00` : date,
    chance: chance(model, signs),
    source: (timed ? endHour : lastDay)[0]!.candidate,
  };
}
