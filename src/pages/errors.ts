import { documentationPage } from "./documentation-page.ts";
import { reasons } from "../platform/problem.ts";
import type { ExtractionFailureReason } from "../extraction/problem.ts";

type UploadReason = "file_empty" | "file_encrypted" | "unsupported_file_type" | "file_unreadable";

const failures: Record<
  Exclude<ExtractionFailureReason, UploadReason> | "engine_unavailable",
  readonly [title: string, remedy: string]
> = {
  input_not_freight: [
    "No transport order was found in the file.",
    "Check that it is the right file. A mail must include its attachments.",
  ],
  input_not_a_document_of_this_kind: [
    "The file is not a document of the requested kind.",
    "Send it with another `type`, or without one to have the kind detected.",
  ],
  no_text_found: [
    "The file contains no readable text.",
    "Send the original instead of a scan or photo, or a sharper scan.",
  ],
  file_corrupted: ["The file is damaged.", "Send the original. Opening and saving it again often helps."],
  too_many_pages: ["The file has too many pages.", "Send only the pages that contain the order."],
  engine_timeout: [
    "Reading the file took too long.",
    "Send only the pages that contain the order, or the same content in a simpler file.",
  ],
  engine_unavailable: ["An internal error occurred repeatedly.", "Contact support with the id of the record."],
};

/** Renders the page with all error codes, at build time. A code has its own anchor: `/docs/errors#not_found`. */
export const errorsPage = (): string =>
  documentationPage(
    "Errors",
    `      <h1>Errors</h1>
      <p>Every error response is a problem document (RFC 9457). <code>errorCode</code> is for programs, <code>detail</code> for people, and <code>requestId</code> identifies the request when you ask for help. <code>errors</code> names every invalid field.</p>
${Object.entries(reasons)
  .map(([code, { status, title, remedy }]) => section(code, String(status), title, remedy))
  .join("\n")}
      <h1>Files that could not be read</h1>
      <p>These are not error responses: the record exists, its status is <code>Failed</code>, and it carries one of these codes.</p>
${Object.entries(failures)
  .map(([code, [title, remedy]]) => section(code, "Failed", title, remedy))
  .join("\n")}`,
  );

const section = (
  code: string,
  status: string,
  title: string,
  remedy: string,
) => `      <section class="code" id="${code}">
        <h2><a href="#${code}">${code}</a> <small>${status}</small></h2>
        <p>${inHtml(title)}</p>
        <p class="remedy">${inHtml(remedy)}</p>
      </section>`;

const inHtml = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replace(/`([^`]+)`/g, "<code>$1</code>");
