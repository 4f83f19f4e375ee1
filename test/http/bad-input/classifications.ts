import { field, half, json, type Refused } from "./row.ts";

const email = { method: "POST", path: "/api/v1/classifications/email" };
const raw = (what: string, bytes: string | Uint8Array, code: string): Refused => ({
  ...email,
  what,
  headers: { "content-type": "message/rfc822" },
  body: () => bytes as BodyInit,
  status: 400,
  code,
  pointer: "/file",
});

const wrong: [what: string, pointer: string, body: unknown][] = [
  ["that is a list", "", []],
  ["of nothing", "/text", {}],
  ["of blanks", "/text", { subject: " ", text: "\n", html: "" }],
  ["with a subject that is a number", "/subject", { subject: 4 }],
  ["with a subject that is too long", "/subject", { subject: "s".repeat(2001) }],
  ["with a text that is a list", "/text", { text: ["Hello"] }],
  ["to a number", "/to", { text: "Hello", to: 4 }],
  ["with attachments that are not a list", "/attachments", { attachments: "cmr.pdf" }],
  ["with an attachment without its file", "/attachments/0/file", { attachments: [{ fileName: "cmr.pdf" }] }],
  ["with an attachment that is not base64", "/attachments/0/file", { attachments: [{ file: "no base64!" }] }],
  [
    "with too many attachments",
    "/attachments",
    { attachments: Array.from({ length: 51 }, () => ({ file: "SGVsbG8=" })) },
  ],
];

/** Mails that cannot be classified. */
export const classificationRows: Refused[] = [
  ...wrong.map(([what, pointer, body]): Refused => ({ ...email, what, json: body, ...field(pointer) })),
  { ...email, what: "that is not JSON", text: "{", ...json },
  raw("of no bytes", "", "file_empty"),
  raw(
    "that is a program",
    Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0),
    "unsupported_file_type",
  ),
  {
    ...email,
    what: "of an unsupported media type",
    headers: { "content-type": "text/plain" },
    body: () => "Hello",
    status: 415,
    code: "unsupported_media_type",
  },
];

/** Unusual texts that must be accepted. */
export const oddMails = [
  { what: "an unpaired surrogate", json: { subject: half, text: `Hello ${half}` } },
  { what: "control characters", json: { text: "\u0000\u0007 \u202e Hello" } },
  { what: "one very long line", json: { text: "where is the truck ".repeat(20_000) } },
  { what: "nothing but quotation marks", json: { text: "> ".repeat(20_000) } },
  { what: "tables in tables", json: { html: "<table><tr><td>".repeat(2500) } },
  { what: "an attachment of nothing", json: { text: "See file", attachments: [{ fileName: "a.pdf", file: "" }] } },
  {
    what: "a broken PDF",
    json: { text: "See file", attachments: [{ fileName: "cmr.pdf", file: btoa("%PDF-1.7 broken") }] },
  },
  {
    what: "a broken zip",
    json: { text: "See file", attachments: [{ fileName: "x.docx", file: btoa("PK\u0003\u0004broken") }] },
  },
  {
    what: "a file name with a path",
    json: { text: "See", attachments: [{ fileName: "../../cmr.txt", file: btoa("x") }] },
  },
];
