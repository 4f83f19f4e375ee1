import { wrongField, type ErrorItem } from "../../platform/problem.ts";
import { isUndecided, type Automation, type Item, type Outcome } from "./model.ts";
import { nameKey, type Driver } from "./drivers.ts";
import type { ResolveInput } from "./input.ts";

// Decisions of a reviewer about single fines.

/** A reviewer's decision, with the data that was looked up for it. */
export type Resolved = Omit<ResolveInput["items"][number], "driver"> & {
  driver?: Driver | undefined;
  /** The field that refers to a record that does not exist. */
  unknown?: "vehicleId" | "orderId";
};

/** Whether the decision changes an earlier decision, which was made automatically or by a reviewer. */
export function isCorrection(item: Item | undefined, one: Resolved): boolean {
  if (!item?.outcome || isUndecided(item) || !(item.outcome.entered || item.resolution)) return false;
  const decisionOf = ({ outcome }: Item) =>
    JSON.stringify([outcome?.entered, outcome?.vehicleId, outcome?.driver, outcome?.orderId]);
  return decisionOf(resolved(item, one, "")) !== decisionOf(item);
}

export function wrongIn(state: Automation, one: Resolved, at: number): ErrorItem[] {
  const { index, action, vehicleId, orderId, driver, unknown } = one;
  const item = state.items[index];
  if (!item)
    return [wrongField(["items", at, "index"], "not_found", `The automation has no fine with index ${index}.`)];
  if (!isUndecided(item) && !isCorrection(item, one))
    return [wrongField(["items", at, "index"], "invalid", `The fine with index ${index} does not need review.`)];
  if (unknown === "vehicleId")
    return [wrongField(["items", at, unknown], "not_found", `The vehicle ${vehicleId} does not exist.`)];
  if (unknown === "orderId")
    return [wrongField(["items", at, unknown], "not_found", `The order ${orderId} does not exist.`)];
  if (action === "Enter" && !driver && !item.outcome?.driver)
    return [wrongField(["items", at, "driver"], "required", "driver is required, because no driver was found.")];
  return [];
}

/** Applies a reviewer's decision, which overrides the matching. */
export function resolved(item: Item, { action, vehicleId, driver, orderId, comment }: Resolved, at: string): Item {
  const outcome = item.outcome!;
  const resolution = { action, ...(comment && { comment }), at };
  if (action === "Dismiss") return { ...item, outcome: { ...outcome, entered: false }, resolution };
  const { orderId: found, ...rest } = outcome;
  const isSame = vehicleId === undefined || vehicleId === outcome.vehicleId;
  const order = orderId ?? (isSame ? found : undefined);
  const who = driver && { driver: withContactDetails(driver, outcome) };
  const said = { ...(vehicleId && { vehicleId }), ...who, ...(order && { orderId: order }) };
  return { ...item, outcome: { ...rest, ...said, entered: true }, resolution };
}

/** Adds the known phone number and e-mail address if the matching found a driver of this name. */
function withContactDetails(driver: Driver, { driver: found, candidates }: Outcome): Driver {
  const known = [found, ...candidates.map((one) => one.driver)].find(
    (one) => one && nameKey(one.name) === nameKey(driver.name),
  );
  return { ...known, ...driver };
}
