import { form } from "../../support/api-client.ts";
import { refusedFiles } from "./files.ts";
import { field, half, json, type Refused } from "./row.ts";

const megabyte = 1024 * 1024;
const documents = { method: "POST", path: "/api/v1/orders/{orderId}/documents" };
const paper = { name: "cmr.txt", bytes: "A paper nobody takes" };
const missing = { status: 400, code: "file_missing", pointer: "/file" };
const tooLarge = { status: 413, code: "payload_too_large" };

function twoFiles(): FormData {
  const data = form(paper, { documentType: "cmr" });
  data.append("file", new File(["Another"], "second.txt"));
  return data;
}

function noFile(): FormData {
  const data = new FormData();
  data.append("documentType", "cmr");
  return data;
}

/** Document uploads that must be refused. */
export const documentRows: Refused[] = [
  { ...documents, what: "a document without content", ...missing },
  { ...documents, what: "a document type without a file", body: noFile, ...missing },
  { ...documents, what: "a form in which no file was chosen", body: () => form({ name: "", bytes: "" }), ...missing },
  { ...documents, what: "two documents at once", body: twoFiles, ...field("/file") },
  { ...documents, what: "a document without a type", body: () => form(paper), ...field("/documentType") },
  {
    ...documents,
    what: "a document of an unknown type",
    body: () => form(paper, { documentType: "passport" }),
    ...field("/documentType"),
    says: /"cmr".*"invoice".*"other"/,
  },
  {
    ...documents,
    what: "a document of two types",
    body: () => form(paper, { documentType: "cmr,invoice" }),
    ...field("/documentType"),
  },
  {
    ...documents,
    what: "a document of an unknown type in the query",
    path: `${documents.path}?documentType=passport`,
    headers: { "content-type": "text/plain" },
    text: paper.bytes,
    ...field("/documentType"),
  },
  {
    ...documents,
    what: "a document of two types in the query",
    path: `${documents.path}?documentType=cmr&documentType=invoice`,
    headers: { "content-type": "text/plain" },
    text: paper.bytes,
    status: 400,
    code: "unknown_parameter",
    pointer: "/documentType",
  },
  {
    ...documents,
    what: "a document with a comment of 2,001 letters",
    body: () => form(paper, { documentType: "cmr", comment: "a".repeat(2_001) }),
    ...field("/comment"),
  },
  {
    ...documents,
    what: "a document with a null byte in its comment",
    body: () => form(paper, { documentType: "cmr", comment: "a\0b" }),
    ...field("/comment"),
  },
  { ...documents, what: "a document as JSON", json: { file: "YQ==" }, status: 415, code: "unsupported_media_type" },
  {
    ...documents,
    what: "a document in a form without a boundary",
    headers: { "content-type": "multipart/form-data" },
    text: "a",
    ...field(""),
  },
  {
    ...documents,
    what: "a document of 26 MiB",
    path: `${documents.path}?documentType=cmr`,
    body: () => new Uint8Array(26 * megabyte).fill(97),
    ...tooLarge,
  },
  {
    ...documents,
    what: "a document of 25 MiB and a byte in a form",
    body: () => form({ name: "a.txt", bytes: new Uint8Array(25 * megabyte + 1).fill(97) }, { documentType: "cmr" }),
    ...tooLarge,
  },
  {
    ...documents,
    what: "an empty document",
    body: () => form({ name: "cmr.pdf", bytes: "" }, { documentType: "cmr" }),
    status: 400,
    code: "file_empty",
    pointer: "/file",
  },
  ...refusedFiles.map(({ what, name = "cmr.pdf", make, refused }): Refused => ({
    ...documents,
    what: `a paper that is ${what}`,
    body: () => form({ name, bytes: make() }, { documentType: "cmr" }),
    status: 400,
    code: refused!,
    pointer: "/file",
  })),
  {
    ...documents,
    what: "a document with a stale If-Match",
    body: () => form(paper, { documentType: "cmr" }),
    headers: { "if-match": '"99"' },
    status: 412,
    code: "version_mismatch",
  },
  {
    ...documents,
    what: "a document for an unknown order",
    path: "/api/v1/orders/0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77/documents",
    body: () => form(paper, { documentType: "cmr" }),
    status: 404,
    code: "not_found",
  },
];

const verdict = (what: string, body: unknown, pointer: string, says?: RegExp): Refused => ({
  method: "POST",
  path: "/api/v1/orders/{orderId}/documents/{documentId}/status",
  what,
  text: JSON.stringify(body),
  ...field(pointer),
  says,
});

/** Invalid reviews of a document. */
export const verdictRows: Refused[] = [
  { ...verdict("no verdict at all", {}, ""), text: "", ...json },
  verdict("null for a verdict", null, ""),
  verdict("a word for a verdict", "Accepted", ""),
  verdict("a list of verdicts", [{ status: "Accepted" }], ""),
  verdict("a verdict without a status", { reason: "Too dark" }, "/status"),
  verdict("a verdict of null", { status: null }, "/status"),
  verdict("a verdict by number", { status: 1 }, "/status"),
  verdict("a verdict nobody knows", { status: "Good" }, "/status", /"Accepted".*"Rejected"/),
  verdict("Uploaded for a verdict", { status: "Uploaded" }, "/status", /"Accepted".*"Rejected"/),
  verdict("Superseded for a verdict", { status: "Superseded" }, "/status"),
  verdict("Completed for a verdict", { status: "Completed" }, "/status"),
  verdict("a reason that is a number", { status: "Rejected", reason: 5 }, "/reason"),
  verdict("a reason of 2,001 letters", { status: "Rejected", reason: "a".repeat(2_001) }, "/reason"),
  verdict("a null byte in a reason", { status: "Rejected", reason: "a\0b" }, "/reason"),
  verdict("half a character in a reason", { status: "Rejected", reason: half }, "/reason"),
  {
    ...verdict("a verdict on what one has not seen", { status: "Accepted" }, ""),
    headers: { "if-match": '"99"' },
    status: 412,
    code: "version_mismatch",
    pointer: undefined,
  },
  {
    ...verdict("a verdict on a paper nobody handed in", { status: "Accepted" }, ""),
    path: "/api/v1/orders/{orderId}/documents/0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77/status",
    status: 404,
    code: "not_found",
    pointer: undefined,
  },
];
