import { form } from "../../support/api-client.ts";
import { carrierOrder } from "../../support/carriers.ts";
import { field, half, json, raw, textOf, type Refused } from "./row.ts";

const megabyte = 1024 * 1024;

/** One error in an order. */
interface Wrong {
  what: string;
  pointer: string;
  says?: RegExp;
  change: object;
}

const wrong =
  (place: string, put: (value: unknown) => object) =>
  (what: string, value: unknown, pointer = place, says?: RegExp): Wrong => ({
    what,
    pointer,
    change: put(value),
    ...(says && { says }),
  });

const stop = (more: object) => ({ type: "Loading", startDate: "2026-11-24T07:00:00Z", ...more });
const number = wrong("/orderNumber", (orderNumber) => ({ orderNumber }));
const carrier = wrong("/carrier", (given) => ({ carrier: given }));
const named = (more: object) => ({ name: "Vzorová Doprava s.r.o.", ...more });
const comments = wrong("/internalComments", (internalComments) => ({ internalComments }));
const papers = wrong("/requiredDocumentTypes", (requiredDocumentTypes) => ({ requiredDocumentTypes }));
const details = wrong("/details", (given) => ({ details: given }));
const weight = wrong("/details/weight", (given) => ({ details: { weight: given } }));
const plates = wrong("/details/licensePlates", (licensePlates) => ({ details: { licensePlates } }));
const stops = wrong("/locations", (locations) => ({ locations }));
const stopField = (name: string) =>
  wrong(`/locations/0/${name}`, (value) => ({ locations: [stop({ [name]: value })] }));
const metadata = wrong("/metadata", (given) => ({ metadata: given }));

const wrongOrders: Wrong[] = [
  number("without a number", undefined),
  number("with null for a number", null),
  number("with a number that is a number", 4711),
  number("with a number that is a list", ["CO-1"]),
  number("with an empty number", ""),
  number("with a number of blanks", " \u00a0 "),
  number("with a number of signs", "-/-"),
  number("with a number of 101 letters", "C".repeat(101)),
  number("with a number of 10,000 letters", "C".repeat(10_000)),
  number("with a line break in its number", "CO-1\r\nX: y"),
  number("with a null byte in its number", "CO\0-1"),
  number("with half a character in its number", half),
  carrier("without a carrier", undefined),
  carrier("with null for a carrier", null),
  carrier("with a carrier that is a text", "Vzorová Doprava s.r.o."),
  carrier("with a list of carriers", [named({})]),
  carrier("with an empty carrier", {}, "/carrier/name"),
  carrier("with empty texts for a carrier", { name: "", vatCode: "" }, "/carrier/name"),
  carrier("with a carrier's name that is a number", { name: 5 }, "/carrier/name"),
  carrier("with a carrier's name of 201 letters", { name: "V".repeat(201) }, "/carrier/name"),
  carrier("with a line break in the carrier's name", { name: "V\nD" }, "/carrier/name"),
  carrier("with half a character in the carrier's name", { name: half }, "/carrier/name"),
  carrier("with an address that is none", named({ email: "nobody" }), "/carrier/email"),
  carrier("with an address and a line break", named({ email: "a@b.example\r\nBcc: c@d.example" }), "/carrier/email"),
  carrier("with an address too long", named({ email: `${"a".repeat(250)}@b.example` }), "/carrier/email"),
  carrier("with a list of addresses", named({ email: ["a@b.example"] }), "/carrier/email"),
  carrier("with a VAT code of signs", named({ vatCode: "!!" }), "/carrier/vatCode"),
  carrier("with a VAT code of one letter", named({ vatCode: "C" }), "/carrier/vatCode"),
  carrier("with a VAT code that is a number", named({ vatCode: 12345679 }), "/carrier/vatCode"),
  carrier("with a VAT code of 31 letters", named({ vatCode: "C".repeat(31) }), "/carrier/vatCode"),
  carrier("with SQL for a VAT code", named({ vatCode: "CZ1'; DROP TABLE orders" }), "/carrier/vatCode"),
  comments("with comments that are a number", 5),
  comments("with a list of comments", ["Second trip"]),
  comments("with comments of 10,001 letters", "a".repeat(10_001)),
  comments("with a null byte in its comments", "a\0b"),
  comments("with half a character in its comments", half),
  papers("that wants a number of papers", 2),
  papers("that wants a map of papers", { cmr: true }),
  papers("that wants a paper nobody knows", "cmr,passport", "/requiredDocumentTypes/1", /"cmr".*"invoice".*"other"/),
  papers("that wants papers with a semicolon", "cmr;invoice", "/requiredDocumentTypes/0"),
  papers("that wants __proto__", "__proto__", "/requiredDocumentTypes/0"),
  papers("that wants a paper that is a number", ["cmr", 4], "/requiredDocumentTypes/1"),
  papers("that wants a list in a list", [["cmr"]], "/requiredDocumentTypes/0"),
  papers("that wants 51 papers", Array(51).fill("cmr")),
  details("with details that are a text", "22 t"),
  details("with a list of details", [{ weight: 1 }]),
  weight("with a weight as text", "22400"),
  weight("with NaN as text for a weight", "NaN"),
  weight("with less than no weight", -1),
  weight("with a weight too large for any number", raw("1e999")),
  weight("with more weight than any ship's", 10_000_001),
  weight("with a map for a weight", { value: 1, unit: "t" }),
  plates("with a plate for a list of plates", "1BX 4821"),
  plates("with 21 plates", Array(21).fill("1BX4821")),
  plates("with null for a plate", [null], "/details/licensePlates/0"),
  plates("with an empty plate", ["1BX4821", ""], "/details/licensePlates/1"),
  plates("with a plate of dashes", ["---"], "/details/licensePlates/0"),
  plates("with a plate of 31 letters", ["A".repeat(31)], "/details/licensePlates/0"),
  plates("with a plate of 16 letters", ["A".repeat(16)], "/details/licensePlates/0"),
  plates("with a null byte in a plate", ["1BX\0"], "/details/licensePlates/0"),
  plates("with half a character in a plate", [half], "/details/licensePlates/0"),
  stops("with a map of stops", { 0: stop({}) }),
  stops("with a text for stops", "Leipzig - Wrocław"),
  stops(
    "with 101 stops",
    Array.from({ length: 101 }, () => stop({})),
  ),
  stops("with null for a stop", [null], "/locations/0"),
  stops("with a list for a stop", [stop({}), []], "/locations/1"),
  stops(
    "with two stops of one number",
    [stop({ sequence: 3 }), stop({}), stop({ sequence: 3 })],
    "/locations/2/sequence",
  ),
  stopField("type")("with a stop of no kind", undefined),
  stopField("type")("with a stop of null", null),
  stopField("type")("with a stop of a kind nobody knows", "Pickup", undefined, /"Loading".*"Unloading".*"Stop"/),
  stopField("type")("with a stop of a number's kind", 1),
  stopField("sequence")("with a stop numbered in text", "1"),
  stopField("sequence")("with a stop below nought", -1),
  stopField("sequence")("with half a stop", 0.5),
  stopField("sequence")("with a stop 10,001", 10_001),
  stopField("sequence")("with a stop beyond all numbers", raw("1e999")),
  ...[
    2026,
    1_795_500_000_000,
    "24.11.2026",
    "11/24/2026",
    "2026-11-24 08:00",
    "2026-13-01",
    "2026-02-30",
    "2026-11-24T24:00",
    "2026-11-24T08:60",
    "2026-11-24T08:00+25:00",
    "2026-11-24T08:00 Z",
    "2026-11-24T08:00:00Europe/Prague",
    "20261124",
    "2026-W48",
    "2026-11",
    "+002026-11-24",
    " 2026-11-24",
    "2026-11-24\n",
    "٢٠٢٦-١١-٢٤",
    "tomorrow",
    "9999-12-31T23:59:59-23:59",
    "0000-01-01T00:00:00+23:59",
    ["2026-11-24"],
    { date: "2026-11-24" },
  ].map((date) => stopField("startDate")(`with the date ${JSON.stringify(date)}`, date)),
  stopField("endDate")("with an end before its beginning", "2026-11-24T06:59:59Z"),
  stopField("endDate")("with an end that is no date", "later"),
  stopField("name")("with a stop's name of 201 letters", "a".repeat(201)),
  stopField("name")("with a stop's name that is a number", 4158),
  stopField("countryCode")("with a country in words", "Poland"),
  stopField("countryCode")("with an unknown country", "QQ"),
  stopField("countryCode")("with a country by its number", 48),
  stopField("postalCode")("with a postal code that is a number", 4158),
  stopField("postalCode")("with a postal code of 21 signs", "0".repeat(21)),
  stopField("city")("with a line break in a city", "Leipzig\nWrocław"),
  stopField("street")("with a street of 301 letters", "a".repeat(301)),
  stopField("street")("with half a character in a street", half),
  stopField("position")("with a place that is a text", "51.3,12.3"),
  stopField("position")("with a place that is a list", [51.3, 12.3]),
  stopField("position")("with half a place", { latitude: 51.3 }, "/locations/0/position/longitude"),
  stopField("position")(
    "with a place beyond the pole",
    { latitude: 90.001, longitude: 0 },
    "/locations/0/position/latitude",
  ),
  stopField("position")("with a place once round", { latitude: 0, longitude: -181 }, "/locations/0/position/longitude"),
  stopField("position")(
    "with a place as texts",
    { latitude: "51.3", longitude: 12.3 },
    "/locations/0/position/latitude",
  ),
  stopField("position")(
    "with a place beyond all numbers",
    { latitude: raw("-1e999"), longitude: 0 },
    "/locations/0/position/latitude",
  ),
  metadata("with a list for metadata", ["a"]),
  metadata("with a text for metadata", "internalId=4711"),
  metadata("with metadata of numbers", { internalId: 4711 }, "/metadata/internalId"),
  metadata("with metadata of nothing", { internalId: null }, "/metadata/internalId"),
  metadata("with metadata of maps", { a: { b: 1 } }, "/metadata/a"),
  metadata("with metadata of 51 keys", Object.fromEntries(Array.from({ length: 51 }, (_, key) => [`k${key}`, "v"]))),
  metadata("with a metadata key of 65 letters", { ["k".repeat(65)]: "v" }, `/metadata/${"k".repeat(65)}`),
  metadata("with an empty metadata key", { "": "v" }, "/metadata/"),
  metadata("with a metadata value of 513 letters", { k: "v".repeat(513) }, "/metadata/k"),
  metadata("with half a character in its metadata", { k: half }, "/metadata/k"),
];

/** The order numbers of all invalid requests. They are free before and after the requests. */
export const wrongNumbers = Array.from({ length: 101 }, (_, at) => `WRONG-${at + 1}`);
const order = (more: object = {}, at = 0) => carrierOrder({ orderNumber: wrongNumbers[at], ...more });

const orders = { method: "POST", path: "/api/v1/orders" };
const put = { method: "PUT", path: "/api/v1/orders/{orderId}" };
const upsert = { method: "POST", path: "/api/v1/orders/upsert" };

/** Requests with every invalid order, on every route that accepts orders. */
export const orderRows: Refused[] = wrongOrders.flatMap(({ what, pointer, says, change }) => {
  const sent = order(change);
  return [
    { ...orders, what: `an order ${what}`, text: textOf(sent), ...field(pointer), says },
    { ...put, what: `a change to one ${what}`, text: textOf(sent), ...field(pointer), says },
    { ...upsert, what: `an upsert of one ${what}`, text: textOf(sent), ...field(pointer), says },
    {
      ...upsert,
      what: `an upsert of many, one of them ${what}`,
      text: textOf({ items: [order({}, 1), sent, order({}, 2)] }),
      ...field(`/items/1${pointer}`),
      says,
    },
  ];
});

const nested = (depth: number) =>
  JSON.stringify(order()).replace("{", `{"deep":${"[".repeat(depth)}${"]".repeat(depth)},`);
const many = (count: number) => wrongNumbers.slice(0, count).map((_, at) => order({}, at));
const twin = order({}, 50);

/** Bodies that are not an order at all, and invalid upserts of several orders. */
export const bodyRows: Refused[] = [
  ...[put, upsert].flatMap((to): Refused[] => [
    { ...to, what: `nothing to ${to.path}`, text: "", ...json },
    { ...to, what: `null to ${to.path}`, text: "null", ...field("") },
    { ...to, what: `a list to ${to.path}`, json: [order()], ...field("") },
    { ...to, what: `a word to ${to.path}`, text: '"order"', ...field("") },
    { ...to, what: `an empty object to ${to.path}`, json: {}, ...field("/orderNumber") },
    {
      ...to,
      what: `an order in __proto__ to ${to.path}`,
      text: `{"__proto__":${JSON.stringify(order())}}`,
      ...field("/orderNumber"),
    },
    { ...to, what: `NaN to ${to.path}`, text: '{"details":{"weight":NaN}}', ...json },
    { ...to, what: `an order nested 33 deep to ${to.path}`, text: nested(33), ...json },
    { ...to, what: `an order nested 100,000 deep to ${to.path}`, text: nested(100_000), ...json },
    {
      ...to,
      what: `more than 1 MiB to ${to.path}`,
      json: order({ internalComments: "a".repeat(megabyte) }),
      status: 413,
      code: "payload_too_large",
    },
    {
      ...to,
      what: `a form to ${to.path}`,
      body: () => form({ name: "order.txt", bytes: "An order" }),
      status: 415,
      code: "unsupported_media_type",
    },
    {
      ...to,
      what: `a parameter to ${to.path}`,
      path: `${to.path}?force=true`,
      json: order(),
      status: 400,
      code: "unknown_parameter",
      pointer: "/force",
    },
  ]),
  { ...orders, what: "an order nested 33 deep", text: nested(33), ...json },
  { ...orders, what: "an order and a text", json: order({ inputText: 4711 }), ...field("/inputText") },
  { ...upsert, what: "no items", json: { items: [] }, ...field("/items") },
  { ...upsert, what: "null for items and no order", json: { items: null }, ...field("/orderNumber") },
  { ...upsert, what: "a map of items", json: { items: { 0: order() } }, ...field("/items") },
  { ...upsert, what: "a text for items", json: { items: "CO-1" }, ...field("/items") },
  { ...upsert, what: "null among items", json: { items: [order(), null] }, ...field("/items/1") },
  { ...upsert, what: "a list among items", json: { items: [[order()]] }, ...field("/items/0") },
  { ...upsert, what: "101 items", json: { items: many(101) }, ...field("/items") },
  { ...upsert, what: "items beside an order", json: { ...order(), items: many(1) }, ...field("/orderNumber") },
  { ...upsert, what: "twins", json: { items: [twin, ...many(1), twin] }, ...field("/items/2/orderNumber") },
  {
    ...upsert,
    what: "twins that differ in case and blanks",
    json: { items: [twin, { ...twin, orderNumber: ` ${twin.orderNumber.toLowerCase()}  ` }] },
    ...field("/items/1/orderNumber"),
  },
  {
    ...put,
    what: "a change with a stale If-Match",
    json: order(),
    headers: { "if-match": '"99"' },
    status: 412,
    code: "version_mismatch",
  },
  {
    method: "DELETE",
    path: put.path,
    what: "a cancellation with a stale If-Match",
    headers: { "if-match": '"99"' },
    status: 412,
    code: "version_mismatch",
  },
  {
    ...put,
    what: "a change to another carrier",
    json: order({ carrier: { name: "Jiná Doprava", vatCode: "CZ87654321" } }),
    status: 409,
    code: "carrier_change_refused",
  },
];
