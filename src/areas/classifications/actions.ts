import type { MailLabel } from "../../extraction/mail/labels.ts";
import type { ClassifiedAttachment } from "../../extraction/mail/attachments.ts";
import { kindNames as documentKindNames } from "../documents/kinds.ts";
import type { Classification } from "./shapes.ts";

type Actions = Classification["suggestedActions"];

/** The operation that extracts a file of each kind. */
const readers: Partial<Record<ClassifiedAttachment["kind"], string>> = {
  order: "/api/v1/orders/file",
  opportunity: "/api/v1/opportunities/file",
  ...Object.fromEntries(documentKindNames.map((kind) => [kind, "/api/v1/documents"])),
  "driver-document": "/api/v1/drivers-documents",
};

/** Mails that say themselves, or in files that cannot be told apart, what is to be read. */
const mailReaders: Partial<Record<MailLabel, string>> = {
  Order: "/api/v1/orders/file",
  OrderChange: "/api/v1/orders/file",
  QuoteRequest: "/api/v1/opportunities/file",
};

const sure = 0.5;

/** What is to be done with a mail: read each file that is known, and the mail where no file is what it is about. */
export function actionsFor(label: MailLabel, attachments: readonly ClassifiedAttachment[]): Actions {
  const files = attachments.flatMap(({ kind, confidence, fileName }): Actions => {
    const path = readers[kind];
    return path && confidence >= sure ? [{ method: "POST", path, attachment: fileName }] : [];
  });
  const path = mailReaders[label];
  if (!path || files.some((each) => each.path === path)) return files;
  return [{ method: "POST", path }, ...files];
}
