import { actionsFor } from "../areas/classifications/actions.ts";
import type { Mail } from "../areas/mails/mail.ts";
import type { MailKind } from "../areas/mails/shapes.ts";
import { multiUploadLimits } from "../http/uploads/read-upload.ts";
import { isFineList } from "../extraction/kinds/fine/list.ts";
import type { KnownAttachment } from "../extraction/mail/attachments.ts";
import { validateUpload, sniff } from "../extraction/formats/open.ts";
import { ReadingProblem } from "../extraction/problem.ts";

// What of a mail goes where

/** A file of a mail, or the mail itself. */
export interface MailPart {
  name: string;
  bytes: Uint8Array;
}

/** What is posted to an operation: files by their places among those of the mail, or the mail itself. */
export interface Submission {
  path: string;
  places?: number[];
}

type Label = NonNullable<Mail["label"]>;

const documents = "/api/v1/documents";
const fines = "/api/v1/automations/fines";
const collections = "/api/v1/document-collections/files";
const statements = "/api/v1/transactions-feed";

/** Mails that are what is to be read, where no file of theirs is. */
const documentLabels: readonly Label[] = ["Fine", "Invoice"];
/** Mails whose pages are papers, also where nothing tells which. */
const paperLabels: readonly Label[] = ["DocumentDelivery", "Invoice", "Fine"];

/** What must be found out only of some mails. */
export interface PlanQueries {
  /** The company has vehicles that fines can be put down to. */
  keepsFleet: () => Promise<boolean>;
  /** Several documents may be in one file. */
  holdsSeveral: (part: MailPart) => Promise<boolean>;
}

/**
 * Each file that is known goes to the operation that reads it, and the mail itself where no file is what it is about. Fines
 * go to whoever drove, where the company keeps vehicles; a list of them has nobody else to read it row by row. Papers that
 * may be several in one file, and scans that nobody has read yet, are taken apart together.
 */
export async function planSubmissions(
  label: Label,
  attachments: readonly KnownAttachment[],
  parts: readonly MailPart[],
  ask: PlanQueries,
): Promise<Submission[]> {
  const files: Submission[] = [];
  const [several, unknown]: [number[], number[]] = [[], []];
  for (const [place, one] of attachments.entries()) {
    const part = parts[place]!;
    const path = await pathOf(one, part, ask);
    if (!path) unknown.push(...(isLikelyDocument(label, one, part) ? [place] : []));
    else if (path === documents && paperLabels.includes(label) && (await ask.holdsSeveral(part))) several.push(place);
    else files.push({ path, places: [place] });
  }
  const own = actionsFor(label, attachments).find(({ attachment }) => attachment === undefined);
  if (own) return [{ path: own.path }, ...files];
  if (files.length + several.length === 0 && documentLabels.includes(label))
    return [{ path: label === "Fine" && (await ask.keepsFleet()) ? fines : documents }];
  return [...files, ...(await collectionSubmissions([...several, ...unknown], parts))];
}

/** Piles of all that can be taken; what is refused would have all refused, and is posted alone to be told why. */
async function collectionSubmissions(places: readonly number[], parts: readonly MailPart[]): Promise<Submission[]> {
  const taken: number[] = [];
  const alone: Submission[] = [];
  for (const place of places) {
    if (await refusalOf(parts[place]!)) alone.push({ path: collections, places: [place] });
    else taken.push(place);
  }
  const together = Array.from({ length: Math.ceil(taken.length / multiUploadLimits.files) }, (_, at) => ({
    path: collections,
    places: taken.slice(at * multiUploadLimits.files, (at + 1) * multiUploadLimits.files),
  }));
  return [...together, ...alone];
}

/** Why a file is not taken; undefined of one that is. */
const refusalOf = ({ name, bytes }: MailPart): Promise<ReadingProblem["reason"] | undefined> =>
  validateUpload(bytes, name).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof ReadingProblem) return error.reason;
      throw error;
    },
  );

/** The files of a mail that are posted nowhere, and why; none where the mail itself is posted, with all that is in it. */
export async function unroutedOf(
  parts: readonly MailPart[],
  posts: readonly Submission[],
): Promise<NonNullable<Mail["notRouted"]>> {
  if (posts.some(({ places }) => places === undefined)) return [];
  const went = new Set(posts.flatMap(({ places = [] }) => places));
  const left = parts.filter((_, place) => !went.has(place));
  return Promise.all(
    left.map(async (part) => {
      const errorCode = await refusalOf(part);
      return { attachment: part.name.slice(0, 200), ...(errorCode && { errorCode }) };
    }),
  );
}

async function pathOf(file: KnownAttachment, part: MailPart, { keepsFleet }: PlanQueries): Promise<string | undefined> {
  if (file.kind === "statement") return statements;
  const [action] = actionsFor("Other", [file]);
  const isDriven = action && file.kind === "fine" && (isList(part) || (await keepsFleet()));
  return isDriven ? fines : action?.path;
}

const isList = (part: MailPart): boolean => ignoreReadingProblem(() => isFineList(part)) ?? false;

/** Pages of which nobody knows what they are, in a mail that brings papers; in one that says nothing those without words. */
function isLikelyDocument(label: Label, { unseen }: KnownAttachment, { name, bytes }: MailPart): boolean {
  if (!paperLabels.includes(label) && !(label === "Other" && unseen)) return false;
  const format = ignoreReadingProblem(() => sniff(bytes, name).format);
  return format === "Pdf" || format === "Image";
}

/** What is told of a file; nothing of one that is refused. */
function ignoreReadingProblem<Told>(tell: () => Told): Told | undefined {
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
  [collections]: "document",
  [fines]: "fine",
  [statements]: "statement",
};

/** What the mail was taken as, by what is posted of it first. */
export function kindOf(
  label: Label,
  attachments: readonly KnownAttachment[],
  [first]: readonly Submission[],
): MailKind {
  const kind = (first && kinds[first.path]) ?? "other";
  if (first?.path !== documents) return kind;
  const [place] = first.places ?? [];
  return (place === undefined ? label === "Fine" : attachments[place]?.kind === "fine") ? "fine" : kind;
}
