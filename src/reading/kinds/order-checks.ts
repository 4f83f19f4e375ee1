import type { Check } from "../reading.ts";
import type { OrderView } from "../views/order.ts";

/** Looks at whether the values agree with each other. Each check speaks only of values the document gives. */
export function checksOf(order: OrderView, today: string): Check[] {
  return [...validation(order, today), ...dates(order), ...weights(order), ...sums(order)];
}

/** The two checks by which an order counts as read only in part; `detail` is the reason given to the client. */
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
      detail: "Loading and Unloading locations match based on country code and postal code.",
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
    {
      name: "StopsInOrderOfDates",
      passed: turned.length === 0,
      detail: "A stop lies after the one that follows it.",
      pointers: turned,
    },
    {
      name: "WindowsOpenBeforeTheyClose",
      passed: inverted.length === 0,
      detail: "A time window ends before it begins.",
      pointers: inverted,
    },
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
  const pointers = stops.flatMap((stop, index) =>
    (stop.cargo ?? []).flatMap((item, at) =>
      item.weight === undefined ? [] : [`/locations/${index}/cargo/${at}/weight`],
    ),
  );
  const agree = Math.abs(loaded - unloaded) <= 0.01 * loaded;
  return [
    {
      name: "LoadedEqualsUnloaded",
      passed: agree,
      detail: `${loaded} kg are loaded and ${unloaded} kg unloaded.`,
      pointers: agree ? [] : pointers,
    },
  ];
}

function sums({ payments }: OrderView): Check[] {
  const { price, basePrice, additionalCharges } = payments ?? {};
  if (price === undefined || basePrice === undefined || additionalCharges === undefined) return [];
  const agree = Math.abs(price - basePrice - additionalCharges) < 0.01;
  return [
    {
      name: "ChargesAddUp",
      passed: agree,
      detail: `${basePrice} and ${additionalCharges} do not make ${price}.`,
      pointers: agree ? [] : ["/payments/price", "/payments/basePrice", "/payments/additionalCharges"],
    },
  ];
}
