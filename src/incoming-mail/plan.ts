import { actionsFor } from "../areas/classifications/actions.ts";
import type { Mail } from "../areas/mails/mail.ts";
import type { MailKind } from "../areas/mails/shapes.ts";
import { manyLimits } from "../http/uploads/doors.ts";
import { isFineList } from "../extraction/kinds/fine/list.ts";
import type { ClassifiedAttachment } from "../extraction/mail/attachments.ts";
import { validateUpload, sniff } from "../extraction/formats/open.ts";
import { ExtractionProblem } from "../extraction/problem.ts";

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
/** Mails whose pages are papers, also where nothing tells which. */
const bringPapers: readonly Label[] = ["DocumentDelivery", "Invoice", "Fine"];

/** What must be found out only of some mails. */
export interface Questions {
  /** The company has vehicles that fines can be put down to. */
  keepsFleet: () => Promise<boolean>;
  /** Several documents may be in one file. */
  holdsSeveral: (part: Part) => Promise<boolean>;
}

/**
 * Each file that is known goes to the operation that reads it, and the mail itself where no file is what it is about. Fines
 * go to whoever drove, where the company keeps vehicles; a list of them has nobody else to read it row by row. Papers that
 * may be several in one file, and scans that nobody has read yet, are taken apart together.
 */
export async function postsFor(
  label: Label,
  attachments: readonly ClassifiedAttachment[],
  parts: readonly Part[],
  ask: Questions,
): Promise<Post[]> {
  const files: Post[] = [];
  const [several, unknown]: [number[], number[]] = [[], []];
  for (const [place, one] of attachments.entries()) {
    const part = parts[place]!;
    const path = await pathOf(one, part, ask);
    if (!path) unknown.push(...(isPaper(label, one, part) ? [place] : []));
    else if (path === documents && bringPapers.includes(label) && (await ask.holdsSeveral(part))) several.push(place);
    else files.push({ path, places: [place] });
  }
  const own = actionsFor(label, attachments).find(({ attachment }) => attachment === undefined);
  if (own) return [{ path: own.path }, ...files];
  if (files.length + several.length === 0 && readAsDocuments.includes(label))
    return [{ path: label === "Fine" && (await ask.keepsFleet()) ? fines : documents }];
  return [...files, ...(await pilesOf([...several, ...unknown], parts))];
}

/** Piles of all that can be taken; what is refused would have all refused, and is posted alone to be told why. */
async function pilesOf(places: readonly number[], parts: readonly Part[]): Promise<Post[]> {
  const taken: number[] = [];
  const alone: Post[] = [];
  for (const place of places) {
    if (await refusalOf(parts[place]!)) alone.push({ path: piles, places: [place] });
    else taken.push(place);
  }
  const together = Array.from({ length: Math.ceil(taken.length / manyLimits.files) }, (_, at) => ({
    path: piles,
    places: taken.slice(at * manyLimits.files, (at + 1) * manyLimits.files),
  }));
  return [...together, ...alone];
}

/** Why a file is not taken; undefined of one that is. */
const refusalOf = ({ name, bytes }: Part): Promise<ExtractionProblem["reason"] | undefined> =>
  validateUpload(bytes, name).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof ExtractionProblem) return error.reason;
      throw error;
    },
  );

/** The files of a mail that are posted nowhere, and why; none where the mail itself is posted, with all that is in it. */
export async function leftOf(parts: readonly Part[], posts: readonly Post[]): Promise<NonNullable<Mail["notRouted"]>> {
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

async function pathOf(file: ClassifiedAttachment, part: Part, { keepsFleet }: Questions): Promise<string | undefined> {
  if (file.kind === "statement") return statements;
  const [action] = actionsFor("Other", [file]);
  const isDriven = action && file.kind === "fine" && (isList(part) || (await keepsFleet()));
  return isDriven ? fines : action?.path;
}

const isList = (part: Part): boolean => told(() => isFineList(part)) ?? false;

/** Pages of which nobody knows what they are, in a mail that brings papers; in one that says nothing those without words. */
function isPaper(label: Label, { unseen }: ClassifiedAttachment, { name, bytes }: Part): boolean {
  if (!bringPapers.includes(label) && !(label === "Other" && unseen)) return false;
  const format = told(() => sniff(bytes, name).format);
  return format === "Pdf" || format === "Image";
}

/** What is told of a file; nothing of one that is refused. */
function told<Told>(tell: () => Told): Told | undefined {
  try {
    return tell();
  } catch (error) {
    if (error instanceof ExtractionProblem) return undefined;
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
export function kindOf(label: Label, attachments: readonly ClassifiedAttachment[], [first]: readonly Post[]): MailKind {
  const kind = (first && kinds[first.path]) ?? "other";
  if (first?.path !== documents) return kind;
  const [place] = first.places ?? [];
  return (place === undefined ? label === "Fine" : attachments[place]?.kind === "fine") ? "fine" : kind;
}
