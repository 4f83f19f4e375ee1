import type { Party } from "../src/extraction/document/shapes.ts";
import type { OrderView } from "../src/extraction/kinds/order/view.ts";
import type { Firm } from "./world/firms.ts";
import type { Handling, Load, Order, Price, Stop, Window } from "./world/order.ts";

/**
 * The values of a view that are compared. Null means that the document does not contain the value, although it contains
 * similar text.
 */
export type Truth = Partial<Record<keyof OrderView, unknown>>;

/** Fields of an order that a layout omits. */
export interface OmittedFields {
  /** Whether countries are not printed, so that they can only be inferred from codes and towns. */
  countries?: boolean;
  /** Whether the customer is not named, as in a table of orders. */
  customer?: boolean;
}

/** Returns the expected extraction of a document that prints this order. */
export function truthOf(order: Order, unsaid: OmittedFields): Truth {
  const tells = unsaid.countries !== true;
  return {
    orderNumber: order.number,
    orderDate: order.date,
    ...(order.reference !== undefined && { referenceNumber: order.reference }),
    ...(unsaid.customer !== true && { customer: party(order.customer, tells) }),
    ...(order.payer && { payer: address(order.payer, tells) }),
    carrier: order.carrier
      ? { ...party(order.carrier, tells), drivers: order.driver ? [order.driver] : [] }
      : { name: null },
    locations: order.stops.map((stop, at) => location(order, stop, at, tells)),
    payments: payments(order.price),
    vehiclesLicensePlates: order.tractorPlate ? [tight(order.tractorPlate)] : [],
    trailersLicensePlates: order.trailerPlate ? [tight(order.trailerPlate)] : [],
    ...(order.trailerType !== undefined && { trailerTypes: [order.trailerType] }),
    documentSubmissionMethods: order.documents,
    ...(order.link !== undefined && { links: [order.link] }),
    invoiceEmail: order.invoiceEmail ?? null,
    cargoValue:
      order.cargoValue === undefined ? { value: null } : { value: order.cargoValue, currency: order.price.currency },
    incoterms: order.incoterms ?? null,
    ...(order.distance !== undefined && { distance: String(order.distance) }),
  };
}

function address({ name, vat, street, place, brief }: Firm, tells: boolean): Party {
  if (brief) return { name };
  return {
    name,
    street,
    postalCode: place.postalCode,
    city: place.city,
    ...(tells && { country: place.country }),
    ...(vat && { vatCode: vat }),
  };
}

/** Describes a firm. Its contact has the phone and mail of the person, or those of the office if no person is named. */
function party(firm: Firm, tells: boolean): Party {
  const { name, email, phone } = firm.person ?? { name: undefined, email: firm.email, phone: firm.phone };
  return {
    ...address(firm, tells),
    contactPerson: { ...(name && { name }), ...(email && { email }), ...(phone && { phone }) },
  };
}

function location(order: Order, stop: Stop, at: number, tells: boolean): Record<string, unknown> {
  const { type, place, name, street, references, load } = stop;
  return {
    sequence: at + 1,
    ...(type !== "EmptyReturn" && { type }),
    ...times(stop.window),
    ...(tells && { countryCode: place.country }),
    postalCode: place.postalCode,
    city: place.city,
    ...(street && { street }),
    ...(name && { name }),
    ...(references.length > 0 && { refrenceNumbers: references }),
    ...(order.container &&
      type !== "EmptyReturn" && { containerNumber: order.container.number, containerType: order.container.type }),
    ...(load && { cargo: [{ ...cargo(load), ...(type === "Loading" && handled(order.handling)) }] }),
  };
}

function times({ day, kind, from, to, lastDay }: Window): Record<string, unknown> {
  const moment = (date: string, minutes?: number): string =>
    minutes === undefined ? date : `${date}T${clock(minutes)}`;
  if (kind === "Until") return { startDate: day, endDate: moment(day, to) };
  return {
    startDate: moment(day, from),
    ...((to !== undefined || lastDay !== undefined) && { endDate: moment(lastDay ?? day, to) }),
    ...(kind === "Fixed" && { fixTime: true }),
  };
}

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

function cargo({ goods, weight, pallets, packages, ldm, volume, dimensions }: Load): Record<string, unknown> {
  return {
    ...(goods !== undefined && { cargoType: goods }),
    weight,
    ...(pallets !== undefined && { pallets }),
    ...(packages !== undefined && { quantity: packages }),
    ...(ldm !== undefined && { ldm }),
    ...(volume !== undefined && { volume }),
    ...dimensions,
  };
}

function handled({ temperature, continuous, adr, exchange, stackable }: Handling): Record<string, unknown> {
  return {
    temeratureFrom: temperature?.from ?? null,
    ...(temperature?.to !== undefined && { temeratureTo: temperature.to }),
    ...(continuous && { refrigeratorUnitMode: "Continuous" }),
    ...(adr && { adr: adr.tells }),
    ...(exchange !== undefined && { palletsExchange: exchange }),
    ...(stackable !== undefined && { stackable }),
  };
}

/**
 * Describes the price. With additional charges, `price` is not compared, because it may mean the base price or the
 * total.
 */
function payments({ base, charges, currency, days, method }: Price): Record<string, unknown> {
  const additional = charges.reduce((sum, { amount }) => sum + amount, 0);
  const total = Math.round((base + additional) * 100) / 100;
  return {
    basePrice: base,
    totalNetAmount: total,
    currency,
    paymentDays: days ?? null,
    ...(method && { paymentMethod: method }),
    ...(charges.length === 0
      ? { price: base }
      : { additionalCharges: additional, priceBreakdown: [{ type: "BaseCharge", amount: base }, ...charges] }),
  };
}

const tight = (plate: string): string => plate.replaceAll(/[\s-]/g, "");
