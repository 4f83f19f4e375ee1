import { actionsFor } from "../areas/classifications/actions.ts";
import type { Mail, MailKind } from "../areas/mails/index.ts";
import { isFineList } from "../reading/fine-lists/file.ts";
import type { KnownAttachment } from "../reading/mails/attachments.ts";
import { sniff } from "../reading/open/open.ts";
import { ReadingProblem } from "../reading/problem.ts";

// What of a mail goes where

/** A file of a mail, or the mail itself. */
export interface Part {
  name: string;
  bytes: Uint8Array;
}

/** What is posted to an operation: files by their places among those of the mail, or the mail itself. */
export interface Post {
  path: string;
  places?: number[];
}

type Label = NonNullable<Mail["label"]>;

const documents = "/api/v1/documents";
const fines = "/api/v1/automations/fines";
const piles = "/api/v1/document-collections/files";
const statements = "/api/v1/transactions-feed";

/** Mails that are what is to be read, where no file of theirs is. */
const readAsDocuments: readonly Label[] = ["Fine", "Invoice"];
/** Mails whose scans are papers, also where nothing tells which. */
const bringPapers: readonly Label[] = ["DocumentDelivery", "Invoice", "Fine", "Other"];

/**
 * Each file that is known goes to the operation that reads it, and the mail itself where no file is what it is about. Fines
 * go to whoever drove, where the company keeps vehicles; a list of them has nobody else to read it row by row. Scans that
 * nobody has read yet are taken apart and told together.
 * @param keepsFleet asked only where there is a fine
 */
export async function postsFor(
  label: Label,
  attachments: readonly KnownAttachment[],
  parts: readonly Part[],
  keepsFleet: () => Promise<boolean>,
): Promise<Post[]> {
  const files: Post[] = [];
  for (const [place, one] of attachments.entries()) {
    const path = await pathOf(one, parts[place]!, keepsFleet);
    if (path) files.push({ path, places: [place] });
  }
  const own = actionsFor(label, attachments).find(({ attachment }) => attachment === undefined);
  if (own) return [{ path: own.path }, ...files];
  if (files.length === 0 && readAsDocuments.includes(label))
    return [{ path: label === "Fine" && (await keepsFleet()) ? fines : documents }];
  const scans = bringPapers.includes(label) ? scansAmong(attachments, parts) : [];
  return scans.length > 0 ? [...files, { path: piles, places: scans }] : files;
}

async function pathOf(
  file: KnownAttachment,
  part: Part,
  keepsFleet: () => Promise<boolean>,
): Promise<string | undefined> {
  if (file.kind === "statement") return statements;
  const [action] = actionsFor("Other", [file]);
  const isDriven = action && file.kind === "fine" && (isList(part) || (await keepsFleet()));
  return isDriven ? fines : action?.path;
}

const isList = (part: Part): boolean => told(() => isFineList(part)) ?? false;

/** Files of pages that have no words yet. */
const scansAmong = (attachments: readonly KnownAttachment[], parts: readonly Part[]): number[] =>
  attachments.flatMap(({ unseen, kind }, place) => {
    const { name, bytes } = parts[place]!;
    const format = unseen && kind === "other" ? told(() => sniff(bytes, name).format) : undefined;
    return format === "Pdf" || format === "Image" ? [place] : [];
  });

/** What is told of a file; nothing of one that is refused. */
function told<Told>(tell: () => Told): Told | undefined {
  try {
    return tell();
  } catch (error) {
    if (error instanceof ReadingProblem) return undefined;
    throw error;
  }
}

const kinds: Record<string, MailKind> = {
  "/api/v1/orders/file": "order",
  "/api/v1/opportunities/file": "quoteRequest",
  "/api/v1/drivers-documents": "document",
  [documents]: "document",
  [piles]: "document",
  [fines]: "fine",
  [statements]: "statement",
};

/** What the mail was taken as, by what is posted of it first. */
export function kindOf(label: Label, attachments: readonly KnownAttachment[], [first]: readonly Post[]): MailKind {
  const kind = (first && kinds[first.path]) ?? "other";
  if (first?.path !== documents) return kind;
  const [place] = first.places ?? [];
  return (place === undefined ? label === "Fine" : attachments[place]?.kind === "fine") ? "fine" : kind;
}
