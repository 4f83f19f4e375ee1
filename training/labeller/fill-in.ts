import type { Json } from "../../corpus/compare.ts";

/** A value that was chosen for a field. */
export interface Fill {
  file: string;
  item: number;
  field: string;
  index: number;
  value: string | number;
  other: number | null;
  text: string;
  p: number;
}
type Node = { [name: string]: Json };

const isEmpty = (value: Json): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
const child = (node: Node, name: string): Node => (node[name] ??= {}) as Node;

/**
 * Returns the reading with values where it is empty, if they are at least as likely as their field's limit. Single values
 * from the limit `replaceFrom` on replace those of the reading.
 */
export function fillIn(
  data: Node,
  fills: readonly Fill[],
  limit: (field: string) => number,
  replaceFrom: (field: string) => number = () => Number.POSITIVE_INFINITY,
): Node {
  const out = structuredClone(data);
  const stops = (out["locations"] ?? []) as Node[];
  const best = (field: string, index = 0) =>
    fills.filter((fill) => fill.field === field && fill.index === index).sort((a, b) => b.p - a.p);
  const sure = (field: string, index = 0) => best(field, index).filter(({ p }) => p >= limit(field));
  for (const [index, stop] of stops.entries()) fillStop(stop, index);
  fillOrder();
  for (const scope of ["customer", "carrier"]) fillParty(scope);
  return tidy(out) as Node;

  function put(node: Node, name: string, fill: Fill | undefined): void {
    if (fill && fill.p >= (isEmpty(node[name]) ? limit : replaceFrom)(fill.field)) node[name] = fill.value;
  }

  function fillStop(stop: Node, index: number): void {
    put(stop, "name", best("stop name", index)[0]);
    put(stop, "street", best("stop street", index)[0]);
    putPlace(stop, sure("stop place", index)[0], "countryCode");
    setWindow(stop, index);
    const references = sure("stop reference", index).map(({ value }) => value);
    if (isEmpty(stop["refrenceNumbers"]) && references.length > 0) stop["refrenceNumbers"] = references;
    const cargo: Node = (stop["cargo"] as Node[] | undefined)?.[0] ?? {};
    for (const name of ["weight", "pallets", "quantity", "ldm", "volume"])
      put(cargo, name, best(`stop ${name}`, index)[0]);
    put(cargo, "cargoType", best("stop goods", index)[0]);
    const warmth = sure("stop warmth", index)[0];
    if (warmth && isEmpty(cargo["temeratureFrom"]) && isEmpty(cargo["temeratureTo"]))
      [cargo["temeratureFrom"], cargo["temeratureTo"]] = String(warmth.value).split("/").map(Number);
    const size = sure("stop size", index)[0];
    if (size && isEmpty(cargo["length"])) {
      const [length, width, height, units] = String(size.value).split("/");
      Object.assign(cargo, {
        length: Number(length),
        width: Number(width),
        ...(height && { height: Number(height) }),
        units,
      });
    }
    if (Object.keys(cargo).length > 0)
      stop["cargo"] = [cargo, ...((stop["cargo"] as Node[] | undefined) ?? []).slice(1)];
  }

  function setWindow(stop: Node, index: number): void {
    if (isEmpty(stop["endDate"]) || !isEmpty(stop["startDate"])) put(stop, "startDate", best("stop start", index)[0]);
    put(stop, "endDate", best("stop end", index)[0]);
  }

  function putPlace(node: Node, fill: Fill | undefined, country: string): void {
    if (!fill || !isEmpty(node["city"]) || !isEmpty(node["postalCode"])) return;
    const [land = "", code = "", city = ""] = String(fill.value).split("/");
    if (city) node["city"] = city;
    if (code) node["postalCode"] = code.replace(/^[A-Z]{1,2}[- ](?=\d)/u, "");
    if (land && isEmpty(node[country])) node[country] = land;
  }

  function fillOrder(): void {
    for (const name of ["orderNumber", "referenceNumber", "orderDate", "invoiceEmail", "distance"])
      put(out, name, best(`order ${name}`)[0]);
    const payments = child(out, "payments");
    const price = sure("order price")[0];
    if (["price", "basePrice", "totalNetAmount"].every((name) => isEmpty(payments[name]))) {
      put(payments, "price", price);
      const currency = price && currencyIn(price.text);
      if (currency && isEmpty(payments["currency"])) payments["currency"] = currency;
    }
    put(payments, "paymentDays", best("order paymentDays")[0]);
    put(child(out, "cargoValue"), "value", best("order cargoValue")[0]);
    for (const [name, field] of [
      ["vehiclesLicensePlates", "order truck"],
      ["trailersLicensePlates", "order trailer"],
    ] as const) {
      const plates = sure(field).map(({ value }) => value);
      if (isEmpty(out[name]) && plates.length > 0) out[name] = plates;
    }
    const carrier = child(out, "carrier");
    const driver: Node = (carrier["drivers"] as Node[] | undefined)?.[0] ?? {};
    put(driver, "name", best("order driver")[0]);
    put(driver, "phone", best("order driverPhone")[0]);
    if (Object.keys(driver).length > 0)
      carrier["drivers"] = [driver, ...((carrier["drivers"] as Node[] | undefined) ?? []).slice(1)];
  }

  function fillParty(scope: string): void {
    const party = child(out, scope);
    for (const name of ["name", "street", "vatCode"]) put(party, name, best(`${scope} ${name}`)[0]);
    putPlace(party, sure(`${scope} place`)[0], "country");
    const person = child(party, "contactPerson");
    put(person, "name", best(`${scope} contact`)[0]);
    put(person, "phone", best(`${scope} phone`)[0]);
    put(person, "email", best(`${scope} email`)[0]);
  }
}

const currencies: [RegExp, string][] = [
  [/€|\beur/iu, "EUR"],
  [/\bpln\b|zł/iu, "PLN"],
  [/\bczk\b|kč/iu, "CZK"],
  [/\bhuf\b|\bft\b/iu, "HUF"],
  [/\bron\b|\blei\b/iu, "RON"],
  [/\bsek\b/iu, "SEK"],
  [/\bnok\b/iu, "NOK"],
  [/\bdkk\b/iu, "DKK"],
  [/\bgbp\b|£/iu, "GBP"],
  [/\bchf\b/iu, "CHF"],
  [/\busd\b/iu, "USD"],
  [/\bcad\b/iu, "CAD"],
  [/\buah\b|грн/iu, "UAH"],
  [/\btry\b|₺|\btl\b/iu, "TRY"],
  [/\brsd\b/iu, "RSD"],
  [/\bbgn\b|лв/iu, "BGN"],
];
const currencyIn = (text: string): string | undefined => currencies.find(([pattern]) => pattern.test(text))?.[1];

/** Leaves out objects without values. */
function tidy(node: Json): Json {
  if (Array.isArray(node)) return node.map(tidy);
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).map(([name, value]) => [name, tidy(value)] as const);
  return Object.fromEntries(
    entries.filter(
      ([, value]) =>
        value !== undefined &&
        !(typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0),
    ),
  );
}
