import type { Refused } from "./row.ts";

const id = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77";
const query = (what: string, search: string, code: string, pointer: string): Refused => ({
  what,
  path: `/api/v1/orders?${search}`,
  status: 400,
  code,
  pointer,
});
const wrong = (what: string, search: string, pointer: string) => query(what, search, "validation_failed", pointer);
const cursor = (what: string, value: string) => query(what, `cursor=${value}`, "invalid_cursor", "/cursor");
const badId = (what: string, value: string): Refused => ({
  what,
  path: `/api/v1/orders/${value}`,
  status: 400,
  code: "invalid_id",
  pointer: "/orderId",
});

/** Lists with invalid query parameters. */
export const queryRows: Refused[] = [
  wrong("limit=0", "limit=0", "/limit"),
  wrong("limit=201", "limit=201", "/limit"),
  wrong("limit=-1", "limit=-1", "/limit"),
  wrong("limit=abc", "limit=abc", "/limit"),
  wrong("limit=1e2", "limit=1e2", "/limit"),
  wrong("limit without a value", "limit=", "/limit"),
  wrong("limit of 400 digits", `limit=${"9".repeat(400)}`, "/limit"),
  cursor("a cursor of nonsense", "nonsense"),
  cursor("a cursor of control characters", "%00%0d%0a"),
  cursor("a cursor that is JSON of something else", btoa('{"a":1}').replace(/=+$/, "")),
  cursor("the cursor of another order of things", btoa('["orderNumber","a","b"]')),
  { ...cursor("a cursor of nonsense for webhooks", "nonsense"), path: "/api/v1/webhooks?cursor=nonsense" },
  wrong("a cursor of 10,000 letters", `cursor=${"a".repeat(10_000)}`, "/cursor"),
  wrong("an unknown status", "status=Lost", "/status"),
  wrong("an unknown order", "sort=price;drop table orders", "/sort"),
  wrong("30 February", "loadingFrom=2026-02-30", "/loadingFrom"),
  wrong("month 13", "createdFrom=2026-13-01", "/createdFrom"),
  wrong("a time without a zone", "updatedSince=2026-01-01T00:00:00", "/updatedSince"),
  wrong("a country that does not exist", "loadingCountry=XYZ", "/loadingCountry"),
  query("an unknown parameter", "colour=red", "unknown_parameter", "/colour"),
  query("__proto__ as a parameter", "__proto__=a", "unknown_parameter", "/__proto__"),
  query("a parameter twice", "limit=1&limit=2", "unknown_parameter", "/limit"),
  {
    ...query("a parameter where none is", "limit=1", "unknown_parameter", "/limit"),
    path: `/api/v1/orders/${id}?limit=1`,
  },
];

/** Invalid ids and paths that do not exist. */
export const pathRows: Refused[] = [
  badId("an id in braces", `{${id}}`),
  badId("an id with a blank after it", `${id}%20`),
  badId("an id that climbs", "..%2f..%2fcompany"),
  badId("an id with a null byte", "%00"),
  badId("an id with a line break", "a%0d%0aSet-Cookie:%20a=b"),
  badId("an id of broken percents", "%zz%"),
  badId("an id of 10,000 letters", "a".repeat(10_000)),
  badId("a file named by climbing", "..%2f..%2f..%2fetc%2fpasswd/file"),
  { what: "an unknown id", path: `/api/v2/orders/${id}`, status: 404, code: "not_found" },
  { what: "an unknown path", path: "/api/v1/trucks", status: 404, code: "not_found" },
  { what: "a path with an empty segment", path: "/api/v1/orders//file", status: 404, code: "not_found" },
  {
    what: "a method that the path does not support",
    method: "DELETE",
    path: "/api/v1/orders",
    status: 405,
    code: "method_not_allowed",
  },
  { what: "PATCH", method: "PATCH", path: `/api/v1/orders/${id}`, status: 405, code: "method_not_allowed" },
];

const post = { method: "POST", path: "/api/v1/orders", json: { inputText: "Nothing to carry." } };
const idempotency = (what: string, key: string): Refused => ({
  ...post,
  what,
  headers: { "idempotency-key": key },
  status: 400,
  code: "validation_failed",
  pointer: "/Idempotency-Key",
});

/** Invalid headers. */
export const headerRows: Refused[] = [
  idempotency("an Idempotency-Key with a blank", "a b"),
  idempotency("an Idempotency-Key beyond ASCII", "clé"),
  idempotency("an Idempotency-Key of 256 letters", "k".repeat(256)),
  ...["wait=abc", "wait=-5", "wait", ";;;,,,", `wait=${"9".repeat(300)}`, "x".repeat(8_000)].map((prefer) => ({
    what: `Prefer: ${prefer}`,
    path: `/api/v2/orders/${id}`,
    headers: { prefer },
    status: 404,
    code: "not_found",
  })),
  ...['"999"', "garbage", 'W/"1"', '""', `"${"9".repeat(5_000)}"`].map((seen) => ({
    what: `If-Match: ${seen}`,
    method: "PUT",
    path: "/api/v1/company",
    json: { name: "Trans Beispiel" },
    headers: { "if-match": seen },
    status: 412,
    code: "version_mismatch",
  })),
  ...["", "Basic", "Basic %%%", "Basic OnNlY3JldA==", "Bearer", "Digest username=a", "Bearer ".repeat(1_000)].map(
    (authorization) => ({
      what: `Authorization: ${authorization}`,
      path: "/api/v1/orders",
      headers: { "x-api-key": "", authorization },
      status: 401,
      code: "unauthenticated",
    }),
  ),
];
