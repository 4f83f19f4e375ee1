import { classScores, logistic, type LinearModel } from "../../linear-model.ts";
import type { DocumentContext } from "../labels/values.ts";
import type { Route } from "../route/stops.ts";
import { judgedNumbers, type JudgedNumber } from "./features.ts";
import model from "./model.json" with { type: "json" };

/** A number with the probabilities that it is that of the order, the customer's reference, or a reference of a stop. */
export interface LikelyNumber extends JudgedNumber {
  likelihoods: Readonly<Record<NumberUse, number>>;
}

/** What a number may stand for. */
export type NumberUse = "order" | "reference" | "stop";

/** The candidates of a document with features of the stop to which they belong. */
export function numbersWithOwners(document: DocumentContext, route: Route): JudgedNumber[] {
  return judgedNumbers(document).map((number) => {
    const stop = route.owner(number.segment, number.start);
    number.features.set(`at ${stop?.kind ?? "no stop"}`, 1);
    if (stop?.address && stop.address.place.segment === number.segment) number.features.set("with place", 1);
    return number;
  });
}

/** Returns all numbers of a document with their likelihoods. They are cached, because every stop asks for them. */
export function likelyNumbers(document: DocumentContext, route: Route): readonly LikelyNumber[] {
  const known = askedBefore.get(route);
  if (known) return known;
  const found = numbersWithOwners(document, route).map((number) => {
    const [order = 0, reference = 0, stop = 0] = classScores(model as unknown as LinearModel, number.features).map(
      logistic,
    );
    return { ...number, likelihoods: { order, reference, stop } };
  });
  askedBefore.set(route, found);
  return found;
}

const askedBefore = new WeakMap<Route, readonly LikelyNumber[]>();

/** Returns the numbers, the likeliest first. A number that goes on behind its end ("26-118843 / 01") is less likely. */
export function byLikelihood(numbers: readonly LikelyNumber[], use: NumberUse): LikelyNumber[] {
  const rank = ({ likelihoods, features }: LikelyNumber) => likelihoods[use] * (features.has("cut") ? 0.5 : 1);
  return numbers.toSorted((one, other) => rank(other) - rank(one));
}

/** Keeps the likelier of two numbers that overlap, in reading order. */
export function withoutOverlaps(numbers: readonly LikelyNumber[], use: NumberUse): LikelyNumber[] {
  const kept: LikelyNumber[] = [];
  for (const number of byLikelihood(numbers, use))
    if (!kept.some(({ segment, start, end }) => segment === number.segment && start < number.end && end > number.start))
      kept.push(number);
  return numbers.filter((number) => kept.includes(number));
}
