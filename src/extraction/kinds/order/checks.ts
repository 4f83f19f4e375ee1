import { fitsCountry } from "../../lexicon/postal-patterns.ts";
import type { Check } from "../../document/extraction-result.ts";
import { hasVatCheck, isVatValid } from "../../entities/vat.ts";
import { checkFromViolations, passedOr } from "../checks.ts";
import type { OrderView } from "./view.ts";

/** Whether the values agree with each other. Each check covers only values that the document has. */
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

/** The two checks whose failure makes an order `Partial`. */
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
  const turned = stops.flatMap((stop, index) => {
    const next = stops.slice(index + 1).find((other) => other.startDate);
    const late = stop.startDate && next?.startDate && stop.startDate.slice(0, 10) > next.startDate.slice(0, 10);
    return late ? [`/locations/${index}/startDate`, `/locations/${stops.indexOf(next)}/startDate`] : [];
  });
  const inverted = stops.flatMap((stop, index) =>
    stop.startDate && stop.endDate && stop.startDate > stop.endDate
      ? [`/locations/${index}/startDate`, `/locations/${index}/endDate`]
      : [],
  );
  return [
    checkFromViolations("StopsInOrderOfDates", "The stops must be in the order of their dates.", turned),
    checkFromViolations("WindowsOpenBeforeTheyClose", "Every time window must begin before it ends.", inverted),
  ];
}

function weights(order: OrderView): Check[] {
  const stops = order.locations ?? [];
  const sum = (type: string) =>
    stops
      .filter((stop) => stop.type === type)
      .reduce((total, stop) => total + (stop.cargo ?? []).reduce((of, item) => of + (item.weight ?? 0), 0), 0);
  const [loaded, unloaded] = [sum("Loading"), sum("Unloading")];
  if (loaded === 0 || unloaded === 0) return [];
  const pointers = stops.flatMap(cargoWeights);
  const agree = Math.abs(loaded - unloaded) <= 0.01 * loaded;
  return [
    passedOr(
      "LoadedEqualsUnloaded",
      agree,
      `The weight loaded, ${loaded} kg, must equal the weight unloaded, ${unloaded} kg.`,
      pointers,
    ),
  ];
}

/** Kilograms. The heaviest road trains of Europe, 76 tonnes in Finland, carry less. */
const heaviestLoad = 56_000;

/** A heavier load is misread: a decimal comma taken for a thousands separator, a number for a weight. */
function loads({ locations = [] }: OrderView): Check[] {
  const weighed = locations.map((stop) => (stop.cargo ?? []).reduce((sum, item) => sum + (item.weight ?? 0), 0));
  if (weighed.every((weight) => weight === 0)) return [];
  const pointers = locations.flatMap((stop, index) =>
    (weighed[index] ?? 0) > heaviestLoad ? cargoWeights(stop, index) : [],
  );
  return [
    checkFromViolations("LoadsOneLorryCarries", `No stop may load or unload more than ${heaviestLoad} kg.`, pointers),
  ];
}

type Stop = NonNullable<OrderView["locations"]>[number];

function cargoWeights(stop: Stop, index: number): string[] {
  return (stop.cargo ?? []).flatMap((item, at) =>
    item.weight === undefined ? [] : [`/locations/${index}/cargo/${at}/weight`],
  );
}

function sums({ payments }: OrderView): Check[] {
  const { price, basePrice, additionalCharges } = payments ?? {};
  if (price === undefined || basePrice === undefined || additionalCharges === undefined) return [];
  const agree = Math.abs(price - basePrice - additionalCharges) < 0.01;
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

/** Covers countries whose check digits are known. */
function vatCodes(order: OrderView): Check[] {
  const verdicts = partyNames.flatMap((name) => {
    const code = order[name]?.vatCode;
    return code && hasVatCheck(code) ? [{ pointer: `/${name}/vatCode`, isValid: isVatValid(code) }] : [];
  });
  return checkOfVerdicts("VatCodesCheck", verdicts, "Every VAT number must have valid check digits.");
}

function postcodes(order: OrderView): Check[] {
  const places = [
    ...partyNames.map((name) => ({ at: `/${name}`, country: order[name]?.country, code: order[name]?.postalCode })),
    ...(order.locations ?? []).map(({ countryCode, postalCode }, index) => ({
      at: `/locations/${index}`,
      country: countryCode,
      code: postalCode,
    })),
  ];
  const verdicts = places.flatMap(({ at, country, code }) => {
    const fits = country && code ? fitsCountry(country, code) : undefined;
    return fits === undefined ? [] : [{ pointer: `${at}/postalCode`, isValid: fits }];
  });
  return checkOfVerdicts("PostcodesFitCountries", verdicts, "Every postcode must have the format of its country.");
}

/** One check over several values; none where there are no values. */
function checkOfVerdicts(
  name: string,
  verdicts: readonly { pointer: string; isValid: boolean }[],
  detail: string,
): Check[] {
  const violations = verdicts.flatMap(({ pointer, isValid }) => (isValid ? [] : [pointer]));
  return verdicts.length > 0 ? [checkFromViolations(name, detail, violations)] : [];
}
