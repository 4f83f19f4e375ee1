import { compare, type Json } from "../../corpus/compare.ts";
import type { Candidate } from "../../src/extraction/kinds/order/labeller/candidates.ts";

type Node = { [name: string]: Json } | undefined;

const matches = (path: string, expected: Json, read: Json): boolean =>
  expected !== undefined &&
  expected !== null &&
  compare({ [path]: expected }, { [path]: read }).some(({ outcome }) => outcome === "right");

/** What a field expects: values that are right, by the path at which they are compared. */
export interface Expected {
  /** Whether the truth has a value. */
  has: boolean;
  isRight: (candidate: Candidate) => boolean;
}

const none: Expected = { has: false, isRight: () => false };
const one = (path: string, expected: Json): Expected =>
  expected === undefined || expected === null || expected === ""
    ? none
    : {
        has: true,
        isRight: ({ value, other }) =>
          matches(path, expected, value) || (other !== undefined && matches(path, expected, other)),
      };
const anyOf = (path: string, all: readonly Json[]): Expected => {
  const each = all.map((value) => one(path, value)).filter(({ has }) => has);
  return each.length === 0 ? none : { has: true, isRight: (candidate) => each.some((some) => some.isRight(candidate)) };
};
const listed = (value: Json): Json[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
const text = (value: Json): string => (typeof value === "string" ? value : "");

function place(path: string, node: Node): Expected {
  const [postalCode, city] = [node?.["postalCode"], node?.["city"]];
  if (!city && !postalCode) return none;
  return {
    has: true,
    isRight: ({ value }) => {
      const [, code, town] = String(value).split("/");
      const coded =
        !postalCode || !code || matches(`${path}.postalCode`, postalCode, code.replace(/^[A-Z]{1,2}[- ](?=\d)/u, ""));
      return coded && (city ? matches(`${path}.city`, city, town ?? "") : Boolean(code));
    },
  };
}

const day = (value: string): Expected => (value ? one("day", value.slice(0, 10)) : none);
const hour = (value: string): Expected =>
  value.length > 10 ? { has: true, isRight: (each) => each.value === value.slice(11, 16) } : none;

function warmth(cargo: readonly Node[]): Expected {
  const wanted = cargo.flatMap((each) => {
    const [from, to] = [each?.["temeratureFrom"], each?.["temeratureTo"]];
    return from === undefined && to === undefined ? [] : [{ from, to }];
  });
  const some = wanted.filter(({ from, to }) => from !== null || to !== null);
  if (some.length === 0) return none;
  const near = (expected: Json, read: number) =>
    expected === undefined || expected === null || Math.abs(Number(expected) - read) < 0.06;
  return {
    has: true,
    isRight: ({ value }) => {
      const [from, to] = String(value).split("/").map(Number) as [number, number];
      return some.some((each) => near(each.from, from) && near(each.to, to));
    },
  };
}

function size(cargo: readonly Node[]): Expected {
  const some = cargo.filter((each) => each?.["length"] || each?.["width"]);
  if (some.length === 0) return none;
  return {
    has: true,
    isRight: ({ value }) => {
      const [length, width, , units] = String(value).split("/");
      return some.some(
        (each) =>
          Number(each!["length"]) === Number(length) &&
          Number(each!["width"]) === Number(width) &&
          each!["units"] === units,
      );
    },
  };
}

function stopField(name: string, stop: Node): Expected {
  const cargo = listed(stop?.["cargo"]) as Node[];
  const ofCargo = (field: string) =>
    anyOf(
      `locations[].cargo[].${field}`,
      cargo.map((each) => each?.[field]),
    );
  const [start, end] = [text(stop?.["startDate"]), text(stop?.["endDate"])];
  switch (name) {
    case "day":
      return day(start || end);
    case "lastDay":
      return day(end);
    case "startHour":
      return hour(start);
    case "endHour":
      return hour(end);
    case "reference":
      return anyOf("locations[].refrenceNumbers", listed(stop?.["refrenceNumbers"]));
    case "place":
      return place("locations[]", stop);
    case "goods":
      return ofCargo("cargoType");
    case "warmth":
      return warmth(cargo);
    case "size":
      return size(cargo);
    case "name":
    case "street":
      return one(`locations[].${name}`, stop?.[name]);
    default:
      return ofCargo(name);
  }
}

function partyField(name: string, scope: string, party: Node): Expected {
  const contact = party?.["contactPerson"] as Node;
  switch (name) {
    case "place":
      return place(scope, party);
    case "contact":
      return one(`${scope}.contactPerson.name`, contact?.["name"]);
    case "phone":
    case "email":
      return one(`${scope}.contactPerson.${name}`, contact?.[name]);
    default:
      return one(`${scope}.${name}`, party?.[name]);
  }
}

function orderField(name: string, order: NonNullable<Node>): Expected {
  const payments = order["payments"] as Node;
  const drivers = listed((order["carrier"] as Node)?.["drivers"]) as Node[];
  switch (name) {
    case "price":
      return anyOf("payments.price", [payments?.["price"], payments?.["basePrice"], payments?.["totalNetAmount"]]);
    case "paymentDays":
      return one("payments.paymentDays", payments?.["paymentDays"]);
    case "cargoValue":
      return one("cargoValue.value", (order["cargoValue"] as Node)?.["value"]);
    case "truck":
      return anyOf("vehiclesLicensePlates", listed(order["vehiclesLicensePlates"]));
    case "trailer":
      return anyOf("trailersLicensePlates", listed(order["trailersLicensePlates"]));
    case "driver":
      return anyOf(
        "carrier.drivers[].name",
        drivers.map((each) => each?.["name"]),
      );
    case "driverPhone":
      return anyOf(
        "carrier.drivers[].phone",
        drivers.map((each) => each?.["phone"]),
      );
    case "referenceNumber":
      return anyOf("orderNumbers", text(order["referenceNumber"]).split(", "));
    default:
      return one(name, order[name]);
  }
}

/** What the truth expects of a field of the order, of a party or of a stop. */
export function expectedOf(field: string, order: NonNullable<Node>, stop: Node): Expected {
  const [scope = "", name = ""] = field.split(" ");
  if (scope === "stop") return stopField(name, stop);
  return scope === "order" ? orderField(name, order) : partyField(name, scope, order[scope] as Node);
}

/** The stop of the truth that each stop of a reading is compared with: their indexes, by the index in the reading. */
export function partnersOf(truth: NonNullable<Node>, read: NonNullable<Node>): Map<number, number> {
  const marked = (stops: Json, name: (at: number) => string) =>
    listed(stops).map((stop, at) => ({ ...(stop as object), mark: name(at) }));
  const expected = { locations: marked(truth["locations"], (at) => `wanted ${at}`) } as Json;
  const leaves = compare(expected, { locations: marked(read["locations"], String) });
  return new Map(
    leaves.flatMap(({ path, expected, read }) =>
      path === "locations[].mark" && typeof expected === "string" && read !== undefined
        ? [[Number(read), Number(expected.slice(7))] as const]
        : [],
    ),
  );
}
