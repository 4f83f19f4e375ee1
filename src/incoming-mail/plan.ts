import { actionsFor } from "../areas/classifications/actions.ts";
import type { Mail, MailKind } from "../areas/mails/model.ts";
import { multiUploadLimits } from "../http/uploads/read-upload.ts";
import { isFineList } from "../extraction/kinds/fine/list.ts";
import type { ClassifiedAttachment } from "../extraction/mail/attachments.ts";
import { validateUpload, sniff } from "../extraction/formats/open.ts";
import { ExtractionProblem } from "../extraction/problem.ts";

/** A file of a mail, or the mail itself. */
export interface MailPart {
  name: string;
  bytes: Uint8Array;
}

/**
 * One call of an operation. `places`: indexes of the submitted files of the mail; if absent, the mail itself is
 * submitted.
 */
export interface Submission {
  path: string;
  places?: number[];
}

type Label = NonNullable<Mail["label"]>;

const documents = "/api/v1/documents";
const fines = "/api/v1/automations/fines";
const collections = "/api/v1/document-collections/files";
const statements = "/api/v1/transactions-feed";

/** The text of a mail with one of these labels is the document, unless a file is. */
const documentLabels: readonly Label[] = ["Fine", "Invoice"];
/** PDF and image files of a mail with one of these labels are documents, even if their kind is unknown. */
const paperLabels: readonly Label[] = ["DocumentDelivery", "Invoice", "Fine"];

/** Queries that only some mails need. */
export interface PlanQueries {
  keepsFleet: () => Promise<boolean>;
  holdsSeveral: (part: MailPart) => Promise<boolean>;
}

/**
 * Plans the submissions of a mail: each file goes to the operation that extracts its kind. Fines are assigned to
 * drivers if the company has vehicles; lists of fines always. Files that may contain several documents, and unknown
 * scans, are split as collections.
 */
export async function planSubmissions(
  label: Label,
  attachments: readonly ClassifiedAttachment[],
  parts: readonly MailPart[],
  ask: PlanQueries,
): Promise<Submission[]> {
  const files: Submission[] = [];
  const [several, unknown]: [number[], number[]] = [[], []];
  for (const [index, one] of attachments.entries()) {
    const part = parts[index]!;
    const path = await pathOf(one, part, ask);
    if (!path) unknown.push(...(isLikelyDocument(label, one, part) ? [index] : []));
    else if (path === documents && paperLabels.includes(label) && (await ask.holdsSeveral(part))) several.push(index);
    else files.push({ path, places: [index] });
  }
  const own = actionsFor(label, attachments).find(({ attachment }) => attachment === undefined);
  if (own) return [{ path: own.path }, ...files];
  if (files.length + several.length === 0 && documentLabels.includes(label))
    return [{ path: label === "Fine" && (await ask.keepsFleet()) ? fines : documents }];
  return [...files, ...(await collectionSubmissions([...several, ...unknown], parts))];
}

/** An invalid file is submitted alone, because it would cause the refusal of the whole collection. */
async function collectionSubmissions(places: readonly number[], parts: readonly MailPart[]): Promise<Submission[]> {
  const taken: number[] = [];
  const alone: Submission[] = [];
  for (const index of places) {
    if (await refusalOf(parts[index]!)) alone.push({ path: collections, places: [index] });
    else taken.push(index);
  }
  const together = Array.from({ length: Math.ceil(taken.length / multiUploadLimits.files) }, (_, at) => ({
    path: collections,
    places: taken.slice(at * multiUploadLimits.files, (at + 1) * multiUploadLimits.files),
  }));
  return [...together, ...alone];
}

const refusalOf = ({ name, bytes }: MailPart): Promise<ExtractionProblem["reason"] | undefined> =>
  validateUpload(bytes, name).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof ExtractionProblem) return error.reason;
      throw error;
    },
  );

/**
 * Finds the files of a mail that are not submitted, with the reason. There are none if the mail itself is submitted.
 */
export async function unroutedOf(
  parts: readonly MailPart[],
  posts: readonly Submission[],
): Promise<NonNullable<Mail["notRouted"]>> {
  if (posts.some(({ places }) => places === undefined)) return [];
  const went = new Set(posts.flatMap(({ places = [] }) => places));
  const others = parts.filter((_, index) => !went.has(index));
  return Promise.all(
    others.map(async (part) => {
      const errorCode = await refusalOf(part);
      return { attachment: part.name.slice(0, 200), ...(errorCode && { errorCode }) };
    }),
  );
}

async function pathOf(
  file: ClassifiedAttachment,
  part: MailPart,
  { keepsFleet }: PlanQueries,
): Promise<string | undefined> {
  if (file.kind === "statement") return statements;
  const [action] = actionsFor("Other", [file]);
  const isDriven = action && file.kind === "fine" && (isList(part) || (await keepsFleet()));
  return isDriven ? fines : action?.path;
}

const isList = (part: MailPart): boolean => ignoreReadingProblem(() => isFineList(part)) ?? false;

/**
 * In a mail whose label announces documents, every PDF or image is likely a document; in a mail with the label `Other`,
 * only one whose text is unknown, such as a scan.
 */
function isLikelyDocument(label: Label, { unseen }: ClassifiedAttachment, { name, bytes }: MailPart): boolean {
  if (!paperLabels.includes(label) && !(label === "Other" && unseen)) return false;
  const format = ignoreReadingProblem(() => sniff(bytes, name).format);
  return format === "Pdf" || format === "Image";
}

function ignoreReadingProblem<Result>(read: () => Result): Result | undefined {
  try {
    return read();
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
  [collections]: "document",
  [fines]: "fine",
  [statements]: "statement",
};

/** Returns the kind of a mail, from its first submission. */
export function kindOf(
  label: Label,
  attachments: readonly ClassifiedAttachment[],
  [first]: readonly Submission[],
): MailKind {
  const kind = (first && kinds[first.path]) ?? "other";
  if (first?.path !== documents) return kind;
  const [index] = first.places ?? [];
  return (index === undefined ? label === "Fine" : attachments[index]?.kind === "fine") ? "fine" : kind;
}
