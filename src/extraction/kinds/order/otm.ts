import type { StructuredPart } from "../../document/document.ts";
import { kilogramsPerPound } from "../../entities/quantities.ts";
import { countryOf } from "../../lexicon/countries.ts";
import type { CargoItem, Party } from "../../document/shapes.ts";
import type { OrderLocation, OrderView } from "./view.ts";
import { bareCode, omitEmpty, unique } from "../structured-values.ts";

type Entity = Readonly<Record<string, unknown>>;

const maxDepth = 24;
const maxEntities = 5000;

/** Maps the transport orders of Open Trip Model 5, or consignments and trips without an order. Empty for other data. */
export function ordersInOtm({ format, text }: StructuredPart): OrderView[] {
  if (format !== "Otm") return [];
  const data = parsed(text);
  const entities = new Map<string, Entity>();
  gather(data, entities, 0);
  return (Array.isArray(data) ? data : [data]).flatMap((order) =>
    isEntity(order) ? (orderOf(order, entities) ?? []) : [],
  );
}

/** Undefined for OTM in XML, whose text is extracted instead. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isEntity = (value: unknown): value is Entity =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function gather(value: unknown, entities: Map<string, Entity>, depth: number): void {
  if (depth > maxDepth || entities.size > maxEntities) return;
  if (Array.isArray(value)) for (const each of value) gather(each, entities, depth + 1);
  else if (isEntity(value)) {
    if (typeof value.id === "string") entities.set(value.id, value);
    for (const each of Object.values(value)) if (typeof each === "object") gather(each, entities, depth + 1);
  }
}

function orderOf(order: Entity, entities: ReadonlyMap<string, Entity>): OrderView | undefined {
  const follow = (association: unknown) => entityOf(association, entities);
  const consignments = entitiesOf(order.consignments, follow);
  const all = [order, ...consignments];
  const actions = all.flatMap((each) => entitiesOf(each.actions, follow).map((action) => ({ action, of: each })));
  const actors = all.flatMap((each) => listOf(each.actors));
  const company = (roles: readonly string[]) => companyOf(actors, roles, follow);
  const vehicle = follow(order.vehicle) ?? {};
  const locations = actions.flatMap(({ action, of }) => locationOf(action, of, follow) ?? []);
  if (locations.length === 0) return undefined;
  const plate = bareCode(text(vehicle.licensePlate));
  const attributes = isEntity(order.externalAttributes) ? order.externalAttributes : {};
  const numbers = Object.values(attributes).map(text);
  return omitEmpty<OrderView>({
    orderNumber: text(attributes.transportOrderId) ?? text(attributes.orderNumber) ?? numbers[0] ?? text(order.name),
    referenceNumber: unique(numbers.slice(1)).join(", "),
    orderDate: text(order.creationDate)?.slice(0, 10),
    customer: company(["shipper", "freightForwarder", "consignor", "owner"]),
    carrier: company(["carrier", "subcontractor"]),
    locations: inTime(locations),
    ...(plate && { licensePlates: [plate], vehiclesLicensePlates: [plate] }),
    comments: text(order.remark) ?? text(order.description),
  });
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== ""
    ? value.trim()
    : typeof value === "number"
      ? String(value)
      : undefined;

type Follow = (association: unknown) => Entity | undefined;

/** An association contains its entity or refers to it by its id. */
function entityOf(association: unknown, entities: ReadonlyMap<string, Entity>): Entity | undefined {
  if (!isEntity(association)) return undefined;
  if (isEntity(association.entity)) return association.entity;
  return typeof association.uuid === "string" ? entities.get(association.uuid) : undefined;
}

function entitiesOf(associations: unknown, follow: Follow): Entity[] {
  return listOf(associations).flatMap((each): Entity[] => {
    const entity = follow(each);
    return entity ? [entity] : [];
  });
}

function companyOf(actors: readonly unknown[], roles: readonly string[], follow: Follow): Party | undefined {
  const [association] = roles.flatMap((role) =>
    actors.filter((actor) => isEntity(actor) && listOf(actor.roles).some((each) => each === role)),
  );
  const actor = follow(association);
  if (!actor) return undefined;
  const contacts = listOf(actor.contactDetails).filter(isEntity);
  const reached = (type: string) => text(contacts.find((each) => each.type === type)?.value);
  const [place] = entitiesOf(actor.locations, follow);
  const { countryCode, name: _, ...address } = place ? addressOf(place) : ({} as ReturnType<typeof addressOf>);
  return omitEmpty<Party>({
    name: text(actor.name),
    ...address,
    country: countryCode,
    contactPerson: omitEmpty({ name: reached("name"), email: reached("email"), phone: reached("phone") }),
  });
}

function addressOf(
  location: Entity,
): Partial<Record<"name" | "street" | "city" | "postalCode" | "countryCode", string>> {
  const [administrative, geographic] = [location.administrativeReference, location.geoReference].map((each): Entity =>
    isEntity(each) ? each : {},
  );
  const addressField = (name: string) => text(administrative?.[name]) ?? text(geographic?.[name]);
  const country = addressField("country");
  const street = [addressField("street"), addressField("houseNumber"), addressField("houseNumberAddition")]
    .filter(Boolean)
    .join(" ");
  return {
    name: text(location.name) ?? addressField("name"),
    street: street || undefined,
    city: addressField("city"),
    postalCode: addressField("postalCode"),
    countryCode: country && (countryOf(country) ?? country),
  };
}

const kinds: Record<string, OrderLocation["type"]> = { load: "Loading", unload: "Unloading", stop: "Stop" };

function locationOf(action: Entity, of: Entity, follow: Follow): OrderLocation | undefined {
  const type = kinds[text(action.actionType) ?? ""];
  const place = follow(action.location);
  if (!type || (type === "Stop" && listOf(action.actions).length > 0)) return undefined;
  const goods = entitiesOf(of.goods, follow);
  const carried = type === "Loading" ? goods.flatMap((each) => cargoOf(each, follow) ?? []) : [];
  const window = windowOf(action, follow);
  const geographic = place && isEntity(place.geoReference) ? place.geoReference : {};
  const [latitude, longitude] = [geographic.lat, geographic.lon];
  return omitEmpty<OrderLocation>({
    sequence: typeof action.sequenceNr === "number" ? action.sequenceNr : 0,
    type,
    ...window,
    ...(place && addressOf(place)),
    ...(typeof latitude === "number" && typeof longitude === "number" && { coordinates: { latitude, longitude } }),
    notes: text(action.remark),
    cargo: carried,
  });
}

function windowOf(action: Entity, follow: Follow): Pick<OrderLocation, "startDate" | "endDate"> {
  const value = follow(action.constraint)?.value;
  const within = isEntity(value) ? value : {};
  const start = text(action.startTime) ?? text(within.startTime) ?? text(within.startDateTime);
  const end = text(action.endTime) ?? text(within.endTime) ?? text(within.endDateTime);
  return { ...(start && { startDate: start }), ...(end && { endDate: end }) };
}

function inTime(locations: readonly OrderLocation[]): OrderLocation[] {
  const numbered = locations.every(({ sequence }) => sequence > 0);
  const timed = locations.every(({ startDate }) => startDate !== undefined);
  const sorted = numbered
    ? locations.toSorted((one, other) => one.sequence - other.sequence)
    : timed
      ? locations.toSorted((one, other) => ((one.startDate ?? "") < (other.startDate ?? "") ? -1 : 1))
      : locations.toSorted((one, other) => order(one) - order(other));
  return sorted.map((location, at) => ({ ...location, sequence: at + 1 }));
}

const order = ({ type }: OrderLocation) => (type === "Loading" ? 0 : 1);
const kilogramsPer: Record<string, number> = { kg: 1, t: 1000, ton: 1000, g: 0.001, lb: kilogramsPerPound };

function amountOf(value: unknown): { amount: number; unit: string } | undefined {
  if (typeof value === "number") return { amount: value, unit: "" };
  const { value: amount, unit } = isEntity(value) ? value : {};
  return typeof amount === "number" ? { amount, unit: text(unit) ?? "" } : undefined;
}

function cargoOf(goods: Entity, follow: Follow): CargoItem | undefined {
  const count = typeof goods.quantity === "number" ? goods.quantity : undefined;
  const weight = amountOf(goods.grossWeight ?? goods.weight);
  const [length, width, height] = [goods.length, goods.width, goods.height].map(amountOf);
  const units = (["mm", "cm", "m"] as const).find((unit) => unit === length?.unit);
  const range = follow(goods.constraint)?.value;
  const limit = (name: "minimum" | "maximum") => (isEntity(range) ? amountOf(range[name])?.amount : undefined);
  const isPallet = /pal|euro|^pe$/iu.test(text(goods.packagingMaterial) ?? text(goods.productType) ?? "");
  return omitEmpty<CargoItem>({
    cargoType: text(goods.description) ?? text(goods.name),
    weight: weight && Math.round(weight.amount * (kilogramsPer[weight.unit] ?? 1) * 100) / 100,
    ...(isPallet ? { pallets: count } : { quantity: count }),
    ldm: amountOf(goods.loadMeters)?.amount,
    volume: amountOf(goods.volume)?.amount,
    ...(units && { length: length?.amount, width: width?.amount, height: height?.amount, units }),
    adr: isEntity(goods.adr) || undefined,
    temeratureFrom: limit("minimum"),
    temeratureTo: limit("maximum"),
  });
}
