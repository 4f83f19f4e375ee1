import { FieldValue } from "../confidence/field-value.ts";
import type { DocumentContext } from "../labels/values.ts";
import { likelyNumbers, withoutOverlaps } from "../numbers/numbers.ts";
import type { Route, Stop } from "./stops.ts";

const least = 0.3;

/** Finds the references of a stop (for example for the gate), without duplicates and without the `known` numbers. */
export function numbersAt(
  document: DocumentContext,
  route: Route,
  stop: Stop,
  known: ReadonlySet<string>,
): FieldValue<string>[] {
  const found = new Map<string, FieldValue<string>>();
  const own = likelyNumbers(document, route).filter(
    ({ likelihoods, segment, start }) => likelihoods.stop >= least && route.owner(segment, start) === stop,
  );
  for (const number of withoutOverlaps(own, "stop"))
    if (!known.has(number.text) && !found.has(number.text))
      found.set(number.text, new FieldValue(number.text, number.likelihoods.stop, number));
  return [...found.values()];
}
