import type { StoredFile } from "../../platform/files.ts";
import type { Judgement } from "../../extraction/quality/verdict.ts";
import { adviceOn } from "../quality/advice.ts";
import type { CarrierOrderStatus, DocumentStatus, DocumentType, OrderDocumentView, Verdict } from "./shapes.ts";

/** A document that was handed in for an order. */
export interface Paper {
  documentId: string;
  type: DocumentType;
  file: StoredFile;
  status: DocumentStatus;
  reason?: string;
  comment?: string;
  /** How well it can be read, as far as that could be told while it was handed in. */
  quality?: Judgement;
  uploadedBy: OrderDocumentView["uploadedBy"];
  uploadedAt: string;
  /** Which link it came under: papers of a carrier that was replaced are not shown to the next. */
  link: number;
  /** It was taken from its pile by mistake; handed in once more it counts again. */
  isWithdrawn?: true;
}

/** A paper and what it was before. */
export interface Moved {
  paper: Paper;
  before: DocumentStatus;
}

/**
 * What an order's status follows from: of each required type the newest paper that counts. None at all goes before one that
 * was rejected, that before one nobody has judged, and when all are accepted the order is completed.
 */
export function statusOf(
  required: readonly DocumentType[],
  papers: readonly Paper[],
): Exclude<CarrierOrderStatus, "Cancelled"> {
  const newest = required.map((type) => papers.findLast((paper) => paper.type === type && isLive(paper))?.status);
  if (newest.includes(undefined)) return "AwaitingDocuments";
  if (newest.includes("Rejected")) return "Rejected";
  return newest.includes("Uploaded") ? "InReview" : "Completed";
}

export const missingTypes = (required: readonly DocumentType[], papers: readonly Paper[]): DocumentType[] =>
  required.filter((type) => !papers.some((paper) => paper.type === type && isLive(paper)));

/** Counts for the status of its order. */
export const isLive = ({ status }: Paper): boolean => status !== "Superseded";

/** Papers under the link that works now: what came under one before was another carrier's. */
export const papersOfLink = ({ papers, link }: { papers: Paper[]; link: { number: number } }): Paper[] =>
  papers.filter((paper) => paper.link === link.number);

/** Those of them that the carrier handed in itself, which is all it may see. */
export const carriersPapers = (state: Parameters<typeof papersOfLink>[0]): Paper[] =>
  papersOfLink(state).filter(({ uploadedBy }) => uploadedBy === "Carrier");

/** What a paper may become. The same again is no change. */
export const verdictsOn = ({ status }: Paper): Verdict["status"][] =>
  status === "Superseded"
    ? []
    : status === "Uploaded"
      ? ["Accepted", "Rejected"]
      : [status === "Accepted" ? "Rejected" : "Accepted"];

/**
 * The papers after a verdict on one of them. One that is accepted supersedes those of its type that came before it.
 * @returns all papers, and those that changed, the judged one first
 */
export function judged(
  papers: readonly Paper[],
  documentId: string,
  { status, reason }: Verdict,
): { papers: Paper[]; moved: Moved[] } {
  const at = papers.findIndex((paper) => paper.documentId === documentId);
  const { reason: _, ...subject } = papers[at]!;
  const verdict: Paper = { ...subject, status, ...(reason && { reason }) };
  const after = papers.map((paper, index): Paper => {
    if (index === at) return verdict;
    const isEarlier = index < at && paper.type === verdict.type && isLive(paper);
    return isEarlier && status === "Accepted" ? { ...paper, status: "Superseded" } : paper;
  });
  return { papers: after, moved: movedBetween(papers, after, documentId) };
}

/** The carrier is another one: what the one before handed in no longer counts. */
export function superseded(papers: readonly Paper[]): { papers: Paper[]; moved: Moved[] } {
  const after = papers.map((paper): Paper => (isLive(paper) ? { ...paper, status: "Superseded" } : paper));
  return { papers: after, moved: movedBetween(papers, after) };
}

/** Whoever handed in a paper takes it back. What somebody has judged stays as it was judged. */
export function withdrawn(papers: readonly Paper[], documentId: string): { papers: Paper[]; moved: Moved[] } {
  const after = papers.map((paper): Paper =>
    paper.documentId === documentId && paper.status === "Uploaded"
      ? { ...paper, status: "Superseded", isWithdrawn: true }
      : paper,
  );
  return { papers: after, moved: movedBetween(papers, after) };
}

function movedBetween(before: readonly Paper[], after: Paper[], first?: string): Moved[] {
  const moved = after.flatMap((paper, index) => {
    const was = before[index]!.status;
    return was === paper.status ? [] : [{ paper, before: was }];
  });
  return moved.sort((a, b) => Number(b.paper.documentId === first) - Number(a.paper.documentId === first));
}

export const viewOfPaper = ({
  documentId,
  type,
  file,
  status,
  reason,
  comment,
  quality,
  uploadedBy,
  uploadedAt,
}: Paper): OrderDocumentView => ({
  documentId,
  type,
  fileName: file.name,
  contentType: file.mediaType,
  sizeBytes: file.sizeBytes,
  status,
  ...(reason && { reason }),
  ...(comment && { comment }),
  ...(quality && { quality: { ...quality, advice: adviceOn(quality.reasons) } }),
  uploadedBy,
  uploadedAt,
});
