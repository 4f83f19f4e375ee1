import { form } from "../../support/api-client.ts";
import { field, half, json, type Refused } from "./row.ts";

const text = btoa("Nothing to carry.");
const file = { name: "document.txt", bytes: "Nothing to carry." };
const missing = { status: 400, code: "file_missing", pointer: "/file" };
const wrongFile = (code: string) => ({ status: 400, code, pointer: "/file" });

/** Routes that accept a file as a form, as raw bytes and in JSON. */
const doors = ["/api/v1/documents", "/api/v1/drivers-documents"];

const uploads: Refused[] = doors.flatMap((path) => {
  const post = { method: "POST", path };
  const sent = (what: string, body: unknown, refusal: Pick<Refused, "status" | "code" | "pointer">): Refused => ({
    ...post,
    what: `${path} ${what}`,
    json: body,
    ...refusal,
  });
  return [
    { ...post, what: `${path} with nothing at all`, ...missing },
    { ...post, what: `${path} with an empty body of JSON`, text: "", ...json },
    { ...post, what: `${path} with JSON that breaks off`, text: '{"file":"', ...json },
    { ...post, what: `${path} with a form without a file`, body: () => formWithout(), ...missing },
    { ...post, what: `${path} with two files`, body: () => twoFiles(), ...field("/file") },
    sent("with JSON without a file", {}, missing),
    sent("with a file that is null", { file: null }, missing),
    sent("with a file without a letter", { file: "" }, missing),
    sent("with a file that is a number", { file: 17 }, field("/file")),
    sent("with a file that is no base64", { file: "Nothing to carry!" }, field("/file")),
    sent("with half a character for base64", { file: half }, field("/file")),
    sent("with a file of blanks", { file: btoa("   ") }, wrongFile("file_empty")),
    sent("with a program", { file: btoa("\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0") }, wrongFile("unsupported_file_type")),
    sent("with a PDF that is cut off", { file: btoa("%PDF-1.7\n") }, wrongFile("file_unreadable")),
    sent("with a name that is a list", { file: text, fileName: ["a.txt"] }, field("/fileName")),
    sent("with a name of 501 letters", { file: text, fileName: "a".repeat(501) }, field("/fileName")),
    sent("with a list for a body", [], field("")),
    sent("with a type nobody knows", { file: text, type: "Menu" }, field("/type")),
    sent("with a type that is a number", { file: text, type: 1 }, field("/type")),
    sent("with metadata that is a text", { file: text, metadata: "internalId=1" }, field("/metadata")),
    sent("with metadata with a number in it", { file: text, metadata: { a: 1 } }, field("/metadata/a")),
    {
      ...post,
      what: `${path} with a type nobody knows in a form`,
      body: () => form(file, { type: "Menu" }),
      ...field("/type"),
    },
  ];
});

function formWithout(): FormData {
  const data = new FormData();
  data.append("type", "Invoices");
  return data;
}

function twoFiles(): FormData {
  const data = form(file);
  data.append("file", new File(["Nothing else to carry."], "second.txt"));
  return data;
}

const documents: Refused[] = [
  {
    what: "a document with an unknown file type",
    method: "POST",
    path: "/api/v1/documents",
    json: { file: text, fileType: "Word" },
    ...field("/fileType"),
  },
  { what: "documents without a type", path: "/api/v1/documents?type=Menus", ...field("/type") },
  { what: "documents of 30 February", path: "/api/v1/documents?dateFrom=2026-02-30", ...field("/dateFrom") },
  { what: "an unknown kind of document", path: "/api/v1/documents/menu/{id}", status: 404, code: "not_found" },
];

const drivers: Refused[] = (
  [
    ["whose driver is a number", { driver: 17 }, "/driver"],
    ["whose driver is empty", { driver: {} }, "/driver"],
    ["whose driver's name is blank", { driver: { name: "  " } }, "/driver/name"],
    ["whose driver has no address", { driver: { email: "jan" } }, "/driver/email"],
    ["whose driver is a list within a string", { driver: "[1]" }, "/driver"],
    ["whose driver has a line break", { driver: "Jan\nPrzykładowy" }, "/driver/name"],
  ] as [string, object, string][]
).map(([what, more, pointer]) => ({
  what: `a driver's document ${what}`,
  method: "POST",
  path: "/api/v1/drivers-documents",
  json: { file: text, ...more },
  ...field(pointer),
}));

/** Invalid changes to an existing driver's document. */
export const driverDocumentUpdateRows: Refused[] = (
  [
    ["a last day that does not exist", { expiresAt: "2027-02-30" }, "/expiresAt"],
    ["a last day with an hour", { expiresAt: "2027-02-28T10:00" }, "/expiresAt"],
    ["a last day before the first", { issuedAt: "2027-01-02", expiresAt: "2027-01-01" }, "/expiresAt"],
    ["a country that does not exist", { issuingCountry: "XX" }, "/issuingCountry"],
    ["categories that are a text", { categories: "C, CE" }, "/categories"],
    ["a category that is blank", { categories: ["C", " "] }, "/categories/1"],
    ["51 categories", { categories: Array.from({ length: 51 }, () => "C") }, "/categories"],
    ["a number of 101 letters", { number: "1".repeat(101) }, "/number"],
    ["an unknown type", { type: "Menu" }, "/type"],
  ] as [string, object, string][]
).map(([what, body, pointer]) => ({
  what: `a driver's document with ${what}`,
  method: "PUT",
  path: "/api/v1/drivers-documents/{id}",
  json: body,
  ...field(pointer),
}));

const requests: Refused[] = (
  [
    ["without text", {}, "/inputText"],
    ["with an empty text", { inputText: "", html: null }, "/inputText"],
    ["with two texts", { inputText: "a", html: "<p>a</p>" }, "/inputText"],
    ["with a text that is a list", { inputText: ["a"] }, "/inputText"],
    ["with an unpaired surrogate", { inputText: half }, "/inputText"],
    ["with a control character in its text", { inputText: "a\u0007" }, "/inputText"],
    ["with a subject of two lines", { inputText: "a", subject: "a\r\nBcc: everyone@example.com" }, "/subject"],
    ["with a sender of two lines", { inputText: "a", from: "a@example.com\r\nX: y" }, "/from"],
    ["with a subject of 1,001 letters", { inputText: "a", subject: "a".repeat(1001) }, "/subject"],
    ["with metadata that is not a string", { inputText: "a", metadata: { a: 1 } }, "/metadata/a"],
  ] as [string, object, string][]
).map(([what, body, pointer]) => ({
  what: `a request for a quote ${what}`,
  method: "POST",
  path: "/api/v1/opportunities",
  json: body,
  ...field(pointer),
}));

const profiles: Refused[] = (
  [
    ["of an unknown kind", { of: "Nothing" }, "/of"],
    ["with renames that are a list", { renames: ["a"] }, "/renames"],
    ["with a path of blanks", { renames: { "a b": "c" } }, "/renames/a b"],
    ["with a path that ends in a dot", { renames: { "a.": "c" } }, "/renames/a."],
    ["with a path into Object.prototype", { renames: { a: "__proto__.b" } }, "/renames/a"],
    ["with a list on one side only", { renames: { "locations[].type": "types" } }, "/renames/locations[].type"],
    [
      "with 201 renames",
      { renames: Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`a${at}`, "b"])) },
      "/renames",
    ],
    ["with a constant that is an object", { constants: { a: { b: 1 } } }, "/constants/a"],
    ["with ids that are a list", { ids: { a: ["b"] } }, "/ids/a"],
    ["with a word instead of a boolean", { onlyRenamed: "yes" }, "/onlyRenamed"],
    ["with an unknown date format", { dateFormat: "tomorrow" }, "/dateFormat"],
    ["with a date format of quotes", { dateFormat: `${"'".repeat(49)}x` }, "/dateFormat"],
    ["with a date format of 51 letters", { dateFormat: "yyyy".repeat(13) }, "/dateFormat"],
  ] as [string, object, string][]
).map(([what, body, pointer]) => ({
  what: `a mapping profile ${what}`,
  method: "PUT",
  path: "/api/v1/mapping-profiles/opportunities",
  json: body,
  ...field(pointer),
}));

/** Invalid uploads, requests and mapping profiles. */
export const intakeRows: Refused[] = [...uploads, ...documents, ...drivers, ...requests, ...profiles];
