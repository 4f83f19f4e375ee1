import type { Check } from "../../document/extraction-result.ts";
import { hasVatCheck, isVatValid } from "../../entities/vat.ts";
import {
  checkFromViolations,
  checkOfValues,
  maxLoad,
  passedOr,
  postcodesFitCountries,
  stopsInOrderOfDates,
} from "../checks.ts";
import type { OrderView } from "./view.ts";

/** Checks whether the values of an order agree with each other. Missing values are not checked. */
export function checkOrder(order: OrderView, today: string): Check[] {
  return [
    ...validation(order, today),
    ...dates(order),
    ...weights(order),
    ...loads(order),
    ...sums(order),
    ...vatCodes(order),
    ...postcodes(order),
  ];
}

/** If one of these two checks fails, the order is `Partial`. */
function validation(order: OrderView, today: string): Check[] {
  const [first, last] = [
    order.locations?.find((stop) => stop.type === "Loading"),
    order.locations?.findLast((stop) => stop.type === "Unloading"),
  ];
  const comparable =
    first?.countryCode !== undefined && first.postalCode !== undefined && last?.postalCode !== undefined;
  const match = comparable && first.countryCode === last.countryCode && first.postalCode === last.postalCode;
  const year = order.orderDate?.slice(0, 4);
  return [
    {
      name: "LoadingAndUnloadingMatch",
      passed: !match,
      detail: "The first loading and the last unloading must be in different places.",
      pointers: match ? [first, last].map((stop) => `/locations/${order.locations?.indexOf(stop)}/postalCode`) : [],
    },
    {
      name: "OrderDateInCurrentYear",
      passed: year === undefined || year === today.slice(0, 4),
      detail: "Order date must be in the current year.",
      pointers: order.orderDate ? ["/orderDate"] : [],
    },
  ];
}

function dates(order: OrderView): Check[] {
  const stops = order.locations ?? [];
  const inverted = stops.flatMap((stop, index) =>
    stop.startDate && stop.endDate && stop.startDate > stop.endDate
      ? [`/locations/${index}/startDate`, `/locations/${index}/endDate`]
      : [],
  );
  return [
    stopsInOrderOfDates(
      stops.map(({ startDate }) => startDate),
      (stop) => `/locations/${stop}/startDate`,
    ),
    checkFromViolations("WindowsOpenBeforeTheyClose", "Every time window must begin before it ends.", inverted),
  ];
}

/** As a share of the loaded weight. */
const weightTolerance = 0.01;

function weights(order: OrderView): Check[] {
  const stops = order.locations ?? [];
  const sum = (type: string) =>
    stops
      .filter((stop) => stop.type === type)
      .reduce((total, stop) => total + (stop.cargo ?? []).reduce((of, item) => of + (item.weight ?? 0), 0), 0);
  const [loaded, unloaded] = [sum("Loading"), sum("Unloading")];
  if (loaded === 0 || unloaded === 0) return [];
  const pointers = stops.flatMap(cargoWeights);
  const agree = Math.abs(loaded - unloaded) <= weightTolerance * loaded;
  return [
    passedOr(
      "LoadedEqualsUnloaded",
      agree,
      `The weight loaded, ${loaded} kg, must equal the weight unloaded, ${unloaded} kg.`,
      pointers,
    ),
  ];
}

function loads({ locations = [] }: OrderView): Check[] {
  const weighed = locations.map((stop) => (stop.cargo ?? []).reduce((sum, item) => sum + (item.weight ?? 0), 0));
  if (weighed.every((weight) => weight === 0)) return [];
  const pointers = locations.flatMap((stop, index) =>
    (weighed[index] ?? 0) > maxLoad ? cargoWeights(stop, index) : [],
  );
  return [checkFromViolations("LoadsOneLorryCarries", `No stop may load or unload more than ${maxLoad} kg.`, pointers)];
}

type Stop = NonNullable<OrderView["locations"]>[number];

function cargoWeights(stop: Stop, index: number): string[] {
  return (stop.cargo ?? []).flatMap((item, at) =>
    item.weight === undefined ? [] : [`/locations/${index}/cargo/${at}/weight`],
  );
}

const sumTolerance = 0.01;

function sums({ payments }: OrderView): Check[] {
  const { price, basePrice, additionalCharges } = payments ?? {};
  if (price === undefined || basePrice === undefined || additionalCharges === undefined) return [];
  const agree = Math.abs(price - basePrice - additionalCharges) < sumTolerance;
  return [
    passedOr(
      "ChargesAddUp",
      agree,
      `Base price ${basePrice} and additional charges ${additionalCharges} must add up to price ${price}.`,
      ["/payments/price", "/payments/basePrice", "/payments/additionalCharges"],
    ),
  ];
}

const partyNames = ["customer", "customerBranch", "carrier", "payer"] as const;

function vatCodes(order: OrderView): Check[] {
  const values = partyNames.flatMap((name) => {
    const code = order[name]?.vatCode;
    return code && hasVatCheck(code) ? [{ pointer: `/${name}/vatCode`, isValid: isVatValid(code) }] : [];
  });
  return checkOfValues("VatCodesCheck", "Every VAT number must have valid check digits.", values);
}

function postcodes(order: OrderView): Check[] {
  return postcodesFitCountries([
    ...partyNames.map((name) => ({
      pointer: `/${name}/postalCode`,
      country: order[name]?.country,
      code: order[name]?.postalCode,
    })),
    ...(order.locations ?? []).map(({ countryCode, postalCode }, index) => ({
      pointer: `/locations/${index}/postalCode`,
      country: countryCode,
      code: postalCode,
    })),
  ]);
}
