import { refuse } from "../../platform/decision.ts";
import type { StoredFile } from "../../platform/files.ts";
import type { Judgement } from "../../extraction/quality/verdict.ts";
import {
  allowedVerdicts,
  applyVerdict,
  documentsByCarrier,
  documentsOfLink,
  isCurrent,
  viewOfDocument,
  withdrawDocument,
  type DocumentType,
  type UploadedDocument,
  type Verdict,
} from "./documents.ts";
import type { CarrierOrder } from "./model.ts";
import {
  checkLink,
  documentEvent,
  documentStatusEvents,
  finalStatus,
  onActiveOrder,
  onCarrierOrder,
  statusEvents,
  withDocuments,
} from "./transitions.ts";

const deleteFilesJob = "carrierOrders.deletePapers";
const maxDocuments = 200;

/** A document before its file is stored. */
interface ExpectedDocument {
  type: DocumentType;
  sha256: string;
  uploadedBy: UploadedDocument["uploadedBy"];
  /** Digest of the link with which the document was uploaded. */
  digest?: string;
}

/** A document whose file is stored. */
export interface NewDocument extends Omit<ExpectedDocument, "sha256"> {
  documentId: string;
  file: StoredFile;
  comment?: string;
  quality?: Judgement;
}

/**
 * Commands on the documents of a carrier order. Workers of different releases send these names to each other, so the
 * names must not change.
 */
export const documentCommands = {
  /**
   * Checks that a document may be uploaded. If the order already has a file with the same bytes, returns the stored
   * file and, if known, its quality for this type.
   */
  expect: checkLink(
    onActiveOrder((state, input: ExpectedDocument) => {
      if (isFull(state) && !findSame(state, input)) return refuseTooMany(state);
      const same = state.papers.filter(({ file }) => file.sha256 === input.sha256);
      const quality = same.find((document) => document.type === input.type)?.quality;
      return { reply: { ...(same[0] && { stored: same[0].file }), ...(quality && { quality }) } };
    }),
  ),

  /** Adds a document whose file is stored. If the document exists already, returns it with status 200. */
  attach: checkLink(
    onActiveOrder((state, input: NewDocument, context) => {
      const { digest: _, ...fields } = input;
      const existing = findSame(state, { ...fields, sha256: fields.file.sha256 }) ?? findRepeated(state, fields);
      if (existing) return { reply: viewOfDocument(existing), status: 200 };
      if (isFull(state)) return refuseTooMany(state);
      if (state.deletedPapers?.some(({ key }) => key === fields.file.key))
        return refuse("in_progress", "The same document is being deleted. Upload it again in a second.", {
          headers: { "retry-after": "1" },
        });
      const document: UploadedDocument = {
        ...fields,
        status: "Uploaded",
        uploadedAt: context.at,
        link: state.link.number,
      };
      const others = state.papers.filter(({ documentId }) => documentId !== document.documentId);
      const next = withDocuments(state, [...others, document], context);
      const events = [
        documentEvent("OrderDocumentUploaded", { document }, next, context),
        ...statusEvents(state, next, context),
      ];
      return { state: next, events, reply: viewOfDocument(document), status: 201 };
    }),
  ),

  judge: onActiveOrder((state, { documentId, ...verdict }: Verdict & { documentId: string }, context) => {
    const document = state.papers.find((one) => one.documentId === documentId);
    if (!document) return refuse("not_found");
    if (document.status === verdict.status)
      return { reply: { ...viewOfDocument(document), orderStatus: state.status } };
    const allowed = allowedVerdicts(document);
    if (!allowed.includes(verdict.status))
      return refuse(
        "invalid_state",
        `The document is ${document.status}. Its status cannot change to ${verdict.status}.`,
        {
          extra: { currentStatus: document.status, allowed },
        },
      );
    const { documents, changes } = applyVerdict(state.papers, documentId, verdict);
    const next = withDocuments(state, documents, context);
    const events = [...documentStatusEvents(changes, next, context), ...statusEvents(state, next, context)];
    return { state: next, events, reply: { ...viewOfDocument(changes[0]!.document), orderStatus: next.status } };
  }),

  /**
   * Withdraws a document that was attached by mistake. Changes nothing if the document does not exist or has a verdict.
   */
  withdraw: onCarrierOrder((state, { documentId }: { documentId: string }, context) => {
    const { documents, changes } = withdrawDocument(state.papers, documentId);
    if (state.status === "Cancelled" || changes.length === 0) return { reply: {} };
    const next = withDocuments(state, documents, context);
    const events = [...documentStatusEvents(changes, next, context), ...statusEvents(state, next, context)];
    return { state: next, events, reply: {} };
  }),

  /**
   * Returns the file of a document. With the digest of a link, it returns only files that the carrier uploaded itself.
   */
  paper: checkLink(
    onCarrierOrder((state, { documentId, digest }: { documentId: string; digest?: string }) => {
      const visible =
        digest === undefined ? state.papers : state.status === "Cancelled" ? [] : documentsByCarrier(state);
      const document = visible.find((one) => one.documentId === documentId);
      return document ? { reply: document.file } : refuse("not_found");
    }),
  ),

  /** Deletes a document, and its file unless another document shares it. Idempotent. */
  removePaper: onCarrierOrder((state, { documentId }: { documentId: string }, context) => {
    const { deletedPapers = [] } = state;
    const document = state.papers.find((one) => one.documentId === documentId);
    if (!document)
      return deletedPapers.some((one) => one.documentId === documentId) ? { reply: {} } : refuse("not_found");
    const others = state.papers.filter((one) => one !== document);
    const isShared = others.some(({ file }) => file.key === document.file.key);
    const deleted = { documentId, ...(!isShared && { key: document.file.key, isLeft: true as const }) };
    const marked = { ...state, deletedPapers: [...deletedPapers, deleted].slice(-maxDocuments) };
    const next =
      state.status === "Cancelled"
        ? { ...marked, papers: others, updatedAt: context.at }
        : withDocuments(marked, others, context);
    const removal = { document, previousStatus: document.status };
    const events = [
      { ...documentEvent("OrderDocumentDeleted", removal, next, context), status: "Deleted" },
      ...statusEvents(state, next, context),
    ];
    return { state: next, events, jobs: [deleteFilesJob], reply: {} };
  }),

  /** Returns the keys of the files that are still stored although their documents were deleted. */
  leftPapers: onCarrierOrder((state, _input: object) => ({
    reply: (state.deletedPapers ?? []).flatMap(({ key, isLeft }) => (key && isLeft ? [key] : [])),
  })),

  papersDeleted: onCarrierOrder((state, { keys }: { keys: string[] }) => {
    const deletedPapers = (state.deletedPapers ?? []).map(({ isLeft, ...one }) =>
      isLeft && !keys.includes(one.key!) ? { ...one, isLeft } : one,
    );
    const isDone = !deletedPapers.some((one) => "isLeft" in one);
    return { state: { ...state, deletedPapers }, ...(isDone && { completedJobs: [deleteFilesJob] }), reply: {} };
  }),
};

/**
 * Finds the current document with the same bytes and type. For an upload by the carrier, only the carrier's own
 * documents are searched.
 */
const findSame = (state: CarrierOrder, { type, sha256, uploadedBy }: Omit<ExpectedDocument, "digest">) =>
  (uploadedBy === "Carrier" ? documentsByCarrier(state) : documentsOfLink(state)).find(
    (document) => document.file.sha256 === sha256 && document.type === type && isCurrent(document),
  );

/** Finds the document that an earlier run of the same job attached with this id. */
const findRepeated = (state: CarrierOrder, { documentId }: Pick<NewDocument, "documentId">) =>
  state.papers.find((document) => document.documentId === documentId && !document.isWithdrawn);

const isFull = ({ papers }: CarrierOrder) => papers.length >= maxDocuments;

const refuseTooMany = ({ status }: CarrierOrder) =>
  refuse(
    "invalid_state",
    `The order already has ${maxDocuments} documents, which is the maximum.`,
    finalStatus(status),
  );
