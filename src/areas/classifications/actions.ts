import type { MailLabel } from "../../extraction/mail/labels.ts";
import type { ClassifiedAttachment } from "../../extraction/mail/attachments.ts";
import { kindNames as documentKindNames } from "../documents/kinds.ts";
import type { Classification } from "./model.ts";

type Actions = Classification["suggestedActions"];

/** The operation that extracts an attachment, by its kind. */
const fileOperations: Partial<Record<ClassifiedAttachment["kind"], string>> = {
  order: "/api/v1/orders/file",
  opportunity: "/api/v1/opportunities/file",
  ...Object.fromEntries(documentKindNames.map((kind) => [kind, "/api/v1/documents"])),
  "driver-document": "/api/v1/drivers-documents",
};

/** The operation that extracts the mail itself, by the label of the mail. */
const mailOperations: Partial<Record<MailLabel, string>> = {
  Order: "/api/v1/orders/file",
  OrderChange: "/api/v1/orders/file",
  QuoteRequest: "/api/v1/opportunities/file",
};

const minConfidence = 0.5;

/**
 * Suggests operations for a mail: one for each attachment of a known kind, and one for the mail itself. The latter is
 * omitted if an attachment is sent to the same operation.
 */
export function actionsFor(label: MailLabel, attachments: readonly ClassifiedAttachment[]): Actions {
  const files = attachments.flatMap(({ kind, confidence, fileName }): Actions => {
    const path = fileOperations[kind];
    return path && confidence >= minConfidence ? [{ method: "POST", path, attachment: fileName }] : [];
  });
  const path = mailOperations[label];
  if (!path || files.some((each) => each.path === path)) return files;
  return [{ method: "POST", path }, ...files];
}
