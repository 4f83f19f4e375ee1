import { field, half, raw, textOf, type Refused } from "./row.ts";

const search = (what: string, body: object, pointer: string, says?: RegExp): Refused => ({
  method: "POST",
  path: "/api/v1/orders/query",
  what,
  text: textOf(body),
  ...field(pointer),
  says,
});
/**
 * Makes a search with an unknown filter, which must be refused. If the filter were ignored, all records would be
 * returned.
 */
const unknown = (name: string, says: RegExp): Refused => ({
  ...search(`the unknown member ${name.slice(0, 20)}`, {}, `/${name.replace(/(?<=^.{100}).+/, "…")}`, says),
  text: `{"${name}":["Completed"]}`,
});
const token = (what: string, continuationToken: string): Refused => ({
  ...search(what, { continuationToken }, "/continuationToken"),
  code: "invalid_cursor",
});

/** Invalid searches. */
export const searchRows: Refused[] = [
  search("a list to the query", [], ""),
  unknown("statusez", /Did you mean statuses\?.*Allowed: statuses, carrier, /),
  unknown("licenseplates", /Did you mean licensePlates\?/),
  unknown("filter", /^filter is not allowed here\. Allowed: statuses/),
  unknown("__proto__", /^__proto__ is not allowed/),
  unknown("f".repeat(200), /^f{100}… is not allowed here\. Allowed: /),
  search("a status that is no list", { statuses: "Completed" }, "/statuses"),
  search("an unknown status", { statuses: ["Completed", "Lost"] }, "/statuses/1", /"InReview".*"Cancelled"/),
  search("null among statuses", { statuses: [null] }, "/statuses/0"),
  search("21 statuses", { statuses: Array(21).fill("Completed") }, "/statuses"),
  search("a carrier that is a map", { carrier: { vatCode: "CZ12345679" } }, "/carrier"),
  search("a carrier of 201 letters", { carrier: "C".repeat(201) }, "/carrier"),
  search("a null byte in a carrier", { carrier: "C\0" }, "/carrier"),
  search("a number that is a number", { orderNumber: 4711 }, "/orderNumber"),
  search("a pattern of 51 letters", { orderNumber: `${"C".repeat(50)}*` }, "/orderNumber"),
  search("a number of 101 letters", { orderNumber: "C".repeat(101) }, "/orderNumber"),
  search("a pattern too long in bytes", { orderNumber: `${"Ž".repeat(40)}*` }, "/orderNumber"),
  search("half a character in a pattern", { orderNumber: `${half}*` }, "/orderNumber"),
  ...["loadingFrom", "loadingTo", "unloadingFrom", "unloadingTo", "updatedSince"].flatMap((name) =>
    [20261124, "2026-02-30", "24.11.2026", "2026-11-24T25:00:00Z", "soon", ""].map((date) =>
      search(`${name} ${JSON.stringify(date)}`, { [name]: date }, `/${name}`),
    ),
  ),
  search("updatedSince without an offset", { updatedSince: "2026-11-24T08:00:00" }, "/updatedSince"),
  search("a plate that is no list", { licensePlates: "1BX4821" }, "/licensePlates"),
  search("51 plates", { licensePlates: Array(51).fill("1BX4821") }, "/licensePlates"),
  search("a plate that is a number", { licensePlates: [4821] }, "/licensePlates/0"),
  search("51 internal ids", { internalIds: Array(51).fill("TMS-1") }, "/internalIds"),
  search("an internal id of 513 letters", { internalIds: ["a".repeat(513)] }, "/internalIds/0"),
  search("a text of 201 letters", { text: "a".repeat(201) }, "/text"),
  search("a list of texts", { text: ["paper"] }, "/text"),
  ...[0, 201, -1, 1.5, "50", true, [50], raw("1e999")].map((limit) =>
    search(`limit ${textOf(limit)}`, { limit }, "/limit"),
  ),
  search("a token that is a number", { continuationToken: 5 }, "/continuationToken"),
  search("a token of 501 letters", { continuationToken: "a".repeat(501) }, "/continuationToken"),
  token("a token of nonsense", "nonsense"),
  token("a token of another list", btoa('["orderNumber","CO-1","2026-11-24T07:00:00.000Z",1]')),
  token("a token that is JSON of something else", btoa('{"sort":"-createdAt"}')),
  token("a token of SQL", btoa('["-createdAt","a","b","1) or 1=1 --"]')),
];

/** Searches that look like commands or patterns. Each is treated as plain text. */
export const oddSearches: { what: string; asked: object }[] = (
  [
    ["a pattern of asterisks", { orderNumber: "****" }],
    ["a pattern of blanks and asterisks", { orderNumber: " * " }],
    ["a number of special characters", { orderNumber: "[a-z]?%_\\" }],
    ["a pattern of fifty letters", { orderNumber: `${"C".repeat(49)}*` }],
    ...[
      '"AND NEAR(',
      "NEAR(a b, 5)",
      "a OR b NOT c",
      '"',
      "*",
      "col:x",
      "^a",
      "{a b}:c",
      "-a",
      "'; DROP TABLE orders; --",
    ].map((text): [string, object] => [`the text ${text}`, { text, carrier: text, internalIds: [text] }]),
    ["a text of 200 quotes", { text: '"'.repeat(200) }],
    ["a text of 100 words", { text: "ab ".repeat(66) }],
    ["plates of special characters", { licensePlates: ["' or 1=1", "%", "---"] }],
    ["a carrier of special characters", { carrier: "…" }],
    ["a period that ends before it begins", { loadingFrom: "2026-11-25", loadingTo: "2026-11-24" }],
    ["the first and the last year", { loadingFrom: "0000-01-01", unloadingTo: "9999-12-31T23:59:59-23:59" }],
    [
      "an empty value in every field",
      Object.fromEntries(["statuses", "carrier", "text", "limit"].map((name) => [name, null])),
    ],
    ["empty lists", { statuses: [], licensePlates: [], internalIds: [] }],
  ] as [string, object][]
).map(([what, asked]) => ({ what, asked }));
