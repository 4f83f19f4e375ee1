import { FieldValue } from "../confidence/field-value.ts";
import type { DocumentContext } from "../labels/values.ts";
import { likelyNumbers, withoutOverlaps } from "../numbers/numbers.ts";
import type { Route, Stop } from "./stops.ts";

const least = 0.3;
/**
 * Minimum likelihood, at a stop without other numbers, of a code with letters that is alone between commas or on a line of
 * its own, with or without a caption: "Marks: UBS 4418-7".
 */
const leastAlone = 0.03;
const standsAlone = ["line with caption", "line with word", "between begin end", "between , end", "between , ,"];

/** Finds the references of a stop (for example for the gate), without duplicates and without the `known` numbers. */
export function numbersAt(
  document: DocumentContext,
  route: Route,
  stop: Stop,
  known: ReadonlySet<string>,
): FieldValue<string>[] {
  const own = likelyNumbers(document, route).filter(({ segment, start }) => route.owner(segment, start) === stop);
  const sure = own.filter(({ likelihoods }) => likelihoods.stop >= least);
  const alone = own.filter(
    ({ likelihoods, features }) =>
      likelihoods.stop >= leastAlone &&
      (features.has("code") || features.has("line with word")) &&
      standsAlone.some((name) => features.has(name)),
  );
  const found = new Map<string, FieldValue<string>>();
  for (const number of withoutOverlaps(sure.length > 0 ? sure : alone, "stop"))
    if (!known.has(number.text) && !found.has(number.text))
      found.set(number.text, new FieldValue(number.text, number.likelihoods.stop, number));
  return [...found.values()];
}
