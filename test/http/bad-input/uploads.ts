import { form } from "../../support/api-client.ts";
import { field, type Refused } from "./row.ts";

const megabyte = 1024 * 1024;
const upload = { method: "POST", path: "/api/v1/orders/file" };
const multipart = (boundary: string) => ({ "content-type": `multipart/form-data; boundary=${boundary}` });
const file = { name: "order.txt", bytes: "Nothing to carry." };
const missing = { status: 400, code: "file_missing", pointer: "/file" };
const tooLarge = { status: 413, code: "payload_too_large" };

const part = (boundary: string, disposition: string, content: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;

function fieldsOnly(count: number): FormData {
  const data = new FormData();
  for (let i = 0; i < count; i++) data.append(`field${i}`, "value");
  return data;
}

function twoFiles(): FormData {
  const data = form(file);
  data.append("file", new File(["Nothing else to carry."], "second.txt"));
  return data;
}

const bracketed = (metadata: Record<string, string>) =>
  Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`metadata[${name}]`, value]));

/** Uploads that are refused before the file is opened. */
export const uploadRows: Refused[] = [
  { ...upload, what: "nothing at all", ...missing },
  {
    ...upload,
    what: "an empty body with a type",
    headers: { "content-type": "application/pdf" },
    text: "",
    status: 400,
    code: "file_empty",
    pointer: "/file",
  },
  { ...upload, what: "JSON", json: { file: "YQ==" }, status: 415, code: "unsupported_media_type" },
  {
    ...upload,
    what: "a form without a boundary",
    headers: { "content-type": "multipart/form-data" },
    text: part("b", 'name="file"; filename="a.txt"', "a"),
    ...field(""),
  },
  {
    ...upload,
    what: "a form with another boundary",
    headers: multipart("other"),
    text: `${part("b", 'name="file"; filename="a.txt"', "a")}--b--`,
    ...field(""),
  },
  {
    ...upload,
    what: "a truncated form",
    headers: multipart("b"),
    text: part("b", 'name="file"; filename="a.txt"', "a").slice(0, 60),
    ...field(""),
  },
  { ...upload, what: "a body that is not a form", headers: multipart("b"), text: "Nothing to carry.", ...field("") },
  { ...upload, what: "a form without parts", headers: multipart("b"), text: "--b--\r\n", ...missing },
  { ...upload, what: "a form without a file", body: () => fieldsOnly(3), ...missing },
  { ...upload, what: "a form of 1,000 fields and no file", body: () => fieldsOnly(1_000), ...missing },
  { ...upload, what: "a form of 50,000 fields", body: () => fieldsOnly(50_000), ...field(""), says: /1000 parts/ },
  {
    ...upload,
    what: "a file that is a plain field",
    headers: multipart("b"),
    text: `${part("b", 'name="file"', "Nothing to carry.")}--b--\r\n`,
    ...missing,
  },
  { ...upload, what: "a form in which no file was chosen", body: () => form({ name: "", bytes: "" }), ...missing },
  {
    ...upload,
    what: "a file named with a null byte",
    body: () => form({ ...file, name: "order.txt\0.exe" }),
    ...field(""),
  },
  { ...upload, what: "two files", body: twoFiles, ...field("/file") },
  {
    ...upload,
    what: "an empty file in a form",
    body: () => form({ name: "order.pdf", bytes: "" }),
    status: 400,
    code: "file_empty",
    pointer: "/file",
  },
  { ...upload, what: "an unknown Type", body: () => form(file, { Type: "Spreadsheet" }), ...field("/type") },
  {
    ...upload,
    what: "metadata that is not JSON",
    body: () => form(file, { metadata: "internalId=4711" }),
    ...field("/metadata"),
  },
  {
    ...upload,
    what: "metadata that is a JSON list",
    body: () => form(file, { metadata: '["a"]' }),
    ...field("/metadata"),
  },
  {
    ...upload,
    what: "metadata with a number in it",
    body: () => form(file, { metadata: '{"a":1}' }),
    ...field("/metadata/a"),
  },
  {
    ...upload,
    what: "metadata nested 100,000 deep",
    body: () => form(file, { metadata: `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}` }),
    ...field("/metadata/a"),
  },
  {
    ...upload,
    what: "metadata of 51 parts",
    body: () => form(file, bracketed(Object.fromEntries(Array.from({ length: 51 }, (_, key) => [`k${key}`, "v"])))),
    ...field("/metadata"),
  },
  {
    ...upload,
    what: "a metadata part of 513 letters",
    body: () => form(file, bracketed({ k: "v".repeat(513) })),
    ...field("/metadata/k"),
  },
  {
    ...upload,
    what: "a metadata part without a name",
    body: () => form(file, bracketed({ "": "v" })),
    ...field("/metadata/"),
  },
  {
    ...upload,
    what: "AdditionalInfo with a null byte",
    body: () => form(file, { AdditionalInfo: "a\0b" }),
    ...field("/additionalInfo"),
  },
  {
    ...upload,
    what: "AdditionalInfo of a million letters",
    body: () => form(file, { AdditionalInfo: "a".repeat(1_000_000) }),
    ...field("/additionalInfo"),
  },
  { ...upload, what: "a file of 26 MiB", body: () => new Uint8Array(26 * megabyte).fill(97), ...tooLarge },
  {
    ...upload,
    what: "a file of 25 MiB and a byte in a form",
    body: () => form({ name: "a.txt", bytes: new Uint8Array(25 * megabyte + 1).fill(97) }),
    ...tooLarge,
  },
  {
    ...upload,
    what: "a form of 30 MiB",
    body: () => form({ name: "a.txt", bytes: new Uint8Array(30 * megabyte).fill(97) }),
    ...tooLarge,
  },
];
