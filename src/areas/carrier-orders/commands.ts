import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import {
  refuse,
  type Decide,
  type DecisionOrRefusal,
  type DomainEvent,
  type CommandContext,
  type Refusal,
} from "../../platform/decision.ts";
import type { StoredFile } from "../../platform/files.ts";
import type { Judgement } from "../../extraction/quality/verdict.ts";
import type { KnownPlace } from "../../domain/places/places.ts";
import { sameDigest } from "../../platform/key-format.ts";
import { commandsOn } from "../../platform/command.ts";
import { isSameParty, withKnownVatCode } from "../../domain/parties.ts";
import { canShow, newLink, shareUrl } from "./link.ts";
import { besideOf, dataOf, envelopeOf, isSameNumber, type CarrierOrder, type Events, type Given } from "./order.ts";
import {
  carriersPapers,
  isLive,
  judged,
  papersOfLink,
  statusOf,
  superseded,
  verdictsOn,
  viewOfPaper,
  withdrawn,
  type Moved,
  type Paper,
} from "./papers.ts";
import type { CarrierOrderEnvelope, DocumentType, OrderDocumentView, UpsertResult, Verdict } from "./shapes.ts";

/** The work that deletes the bytes of deleted papers. */
export const deletingPapers = "carrierOrders.deletePapers";
/** Papers one order may have. */
export const mostPapers = 200;

/** What an order's object may hold: this, or an order read from a document. */
export type Kept = CarrierOrder | { kind?: undefined; status: string; removed?: true };

/** What a caller says of an order. Metadata that is not said stays as it is. */
export interface SaidOrder {
  given: Given;
  /** What the gazetteer knows of each stop. */
  places: KnownPlace[];
  metadata?: Record<string, string>;
}

/** A decision about a carrier order that is there. */
export const ofCarrier =
  <A, Reply>(
    decide: (state: CarrierOrder, ask: A, context: CommandContext) => DecisionOrRefusal<CarrierOrder, Events, Reply>,
  ) =>
  (state: Kept | undefined, ask: A, context: CommandContext): DecisionOrRefusal<Kept, Events, Reply> => {
    if (!state || (state.kind === undefined && state.removed)) return refuse("not_found");
    if (state.kind === "Carrier") return decide(state, ask, context);
    return refuse(
      "invalid_state",
      "The order was extracted from a document and is not a carrier order.",
      stuck(state.status),
    );
  };

/** The same for one that is not cancelled. */
export const ofLive = <A, Reply>(
  decide: (state: CarrierOrder, ask: A, context: CommandContext) => DecisionOrRefusal<CarrierOrder, Events, Reply>,
) =>
  ofCarrier<A, Reply>((state, ask, context) =>
    state.status === "Cancelled"
      ? refuse("invalid_state", "The order is cancelled.", stuck(state.status))
      : decide(state, ask, context),
  );

/** Whoever asks by a link that does not lead to this order learns nothing of it, not even what kind of order it is. */
const byLink =
  <A extends { digest?: string }, Reply>(decide: Decide<Kept, Events, A, Reply>): Decide<Kept, Events, A, Reply> =>
  (state, ask, context) => {
    const leadsHere = state?.kind === "Carrier" && sameDigest(ask.digest ?? "", state.link.digest);
    return ask.digest === undefined || leadsHere ? decide(state, ask, context) : refuse("not_found");
  };

const stuck = (currentStatus: string) => ({ extra: { currentStatus, allowed: [] } });

export const commands = commandsOn<Kept, Events>(
  "ORDERS",
  "carrierOrders",
)({
  create: (state: Kept | undefined, said: SaidOrder, context) => {
    if (state) return refuse("duplicate_order_number", `Order number ${said.given.orderNumber} is already in use.`);
    const made = fresh(said, context);
    const reply = { ...envelopeOf(made), orderId: context.id, shareUrl: shareUrl(made, context) };
    return { state: made, events: [happened("CarrierOrderCreated", made, context)], reply };
  },

  /** @returns "Renamed" and changes nothing when the number is another one and the new one is not held for this order */
  replace: ofLive<SaidOrder & { held?: boolean }, ReplaceReply>((state, { held, ...said }, context) => {
    if (!isSameParty(state.given.carrier, said.given.carrier))
      return refuse("carrier_change_refused", "The order belongs to another carrier.");
    if (!held && !isSameNumber(state.given.orderNumber, said.given.orderNumber)) return { reply: "Renamed" };
    const next = saidAnew(state, said, context);
    return { ...next, reply: { envelope: envelopeOf(next.state ?? state), before: state.given.orderNumber } };
  }),

  /** Refused as `in_progress` when the number leads to another order by now. What `isSeen` is not made. */
  upsert: (state: Kept | undefined, { isSeen, ...said }: SaidOrder & { isSeen?: boolean }, context) => {
    if (!state && isSeen) return refuse("version_mismatch", `There is no order ${said.given.orderNumber}.`);
    if (!state) {
      const made = fresh(said, context);
      return {
        state: made,
        events: [happened("CarrierOrderCreated", made, context)],
        reply: upserted(made, context, "Created"),
      };
    }
    return upsertKept(state, said, context);
  },

  cancel: ofCarrier((state, _: object, context) => {
    const reply = { orderNumber: state.given.orderNumber };
    if (state.status === "Cancelled") return { reply };
    const next: CarrierOrder = { ...state, status: "Cancelled", updatedAt: context.at };
    return { state: next, events: [happened("CarrierOrderCancelled", next, context, state.status)], reply };
  }),

  /** Whether it was read from a file, and not given to a carrier; also of one that was deleted. */
  isRead: (state: Kept | undefined) => (state ? { reply: { isRead: state.kind === undefined } } : refuse("not_found")),

  /** A paper goes, and its bytes where no other paper has the same. Again is no fault. */
  removePaper: ofCarrier((state, { documentId }: { documentId: string }, context) => {
    const { deletedPapers = [] } = state;
    const paper = state.papers.find((one) => one.documentId === documentId);
    if (!paper) return deletedPapers.some((one) => one.documentId === documentId) ? { reply: {} } : refuse("not_found");
    const others = state.papers.filter((one) => one !== paper);
    const isShared = others.some(({ file }) => file.key === paper.file.key);
    const deleted = { documentId, ...(!isShared && { key: paper.file.key, isLeft: true as const }) };
    const kept = { ...state, deletedPapers: [...deletedPapers, deleted].slice(-mostPapers) };
    const next =
      state.status === "Cancelled"
        ? { ...kept, papers: others, updatedAt: context.at }
        : withPapers(kept, others, context);
    const gone = { paper: { ...paper }, before: paper.status };
    const events = [
      { ...documentHappened("OrderDocumentDeleted", gone, next, context), status: "Deleted" },
      ...statusHappened(state, next, context),
    ];
    return { state: next, events, jobs: [deletingPapers], reply: {} };
  }),

  /** Where bytes of deleted papers lie that are still there. */
  leftPapers: ofCarrier((state, _ask: object, _moment) => ({
    reply: (state.deletedPapers ?? []).flatMap(({ key, isLeft }) => (key && isLeft ? [key] : [])),
  })),

  papersDeleted: ofCarrier((state, { keys }: { keys: string[] }, _moment) => {
    const deletedPapers = (state.deletedPapers ?? []).map(({ isLeft, ...one }) =>
      isLeft && !keys.includes(one.key!) ? { ...one, isLeft } : one,
    );
    const isDone = !deletedPapers.some((one) => "isLeft" in one);
    return { state: { ...state, deletedPapers }, ...(isDone && { completedJobs: [deletingPapers] }), reply: {} };
  }),

  /** What number an order has, for whoever wants it too; nothing of one that is not made yet. */
  number: (state: Kept | undefined) => {
    if (state?.kind !== "Carrier") return { reply: {} };
    return { reply: { made: { orderNumber: state.given.orderNumber, isLive: state.status !== "Cancelled" } } };
  },

  /** What it says, as orders read from documents say it; nothing of one that is cancelled. */
  data: ofLive((state, _ask: object) => ({ reply: dataOf(state) })),

  /** Whether such a paper would be taken, where its bytes lie if the order has them, and what was seen of them as this type. */
  expect: byLink(
    ofLive((state, ask: Expected, _moment) => {
      if (isFull(state) && !knownAs(state, ask)) return tooMany(state);
      const same = state.papers.filter(({ file }) => file.sha256 === ask.sha256);
      const quality = same.find((paper) => paper.type === ask.type)?.quality;
      return { reply: { ...(same[0] && { stored: same[0].file }), ...(quality && { quality }) } };
    }),
  ),

  /** Refuses as was refused already, unless the request is a repeated one that has been answered. */
  refused: (_: Kept | undefined, refusal: Refusal): DecisionOrRefusal<Kept, Events, OrderDocumentView> => refusal,

  /** A paper has come. */
  attach: byLink(
    ofLive((state, asked: Attached, context) => {
      const { digest: _, ...ask } = asked;
      const known = knownAs(state, { ...ask, sha256: ask.file.sha256 }) ?? repeated(state, asked);
      if (known) return { reply: viewOfPaper(known), status: 200 };
      if (isFull(state)) return tooMany(state);
      if (state.deletedPapers?.some(({ key }) => key === ask.file.key))
        return refuse("in_progress", "The same document is being deleted. Upload it again in a second.", {
          headers: { "retry-after": "1" },
        });
      const paper: Paper = { ...ask, status: "Uploaded", uploadedAt: context.at, link: state.link.number };
      const others = state.papers.filter(({ documentId }) => documentId !== paper.documentId);
      const next = withPapers(state, [...others, paper], context);
      const events = [
        documentHappened("OrderDocumentUploaded", { paper }, next, context),
        ...statusHappened(state, next, context),
      ];
      return { state: next, events, reply: viewOfPaper(paper), status: 201 };
    }),
  ),

  judge: ofLive((state, { documentId, ...verdict }: Verdict & { documentId: string }, context) => {
    const paper = state.papers.find((one) => one.documentId === documentId);
    if (!paper) return refuse("not_found");
    if (paper.status === verdict.status) return { reply: { ...viewOfPaper(paper), orderStatus: state.status } };
    const allowed = verdictsOn(paper);
    if (!allowed.includes(verdict.status))
      return refuse("invalid_state", `The document is ${paper.status}.`, {
        extra: { currentStatus: paper.status, allowed },
      });
    const { papers, moved } = judged(state.papers, documentId, verdict);
    const next = withPapers(state, papers, context);
    const events = [...movedHappened(moved, next, context), ...statusHappened(state, next, context)];
    return { state: next, events, reply: { ...viewOfPaper(moved[0]!.paper), orderStatus: next.status } };
  }),

  /** A paper that should not have come; nothing where it is not there, or somebody has judged it. */
  withdraw: ofCarrier((state, { documentId }: { documentId: string }, context) => {
    const { papers, moved } = withdrawn(state.papers, documentId);
    if (state.status === "Cancelled" || moved.length === 0) return { reply: {} };
    const next = withPapers(state, papers, context);
    return {
      state: next,
      events: [...movedHappened(moved, next, context), ...statusHappened(state, next, context)],
      reply: {},
    };
  }),

  /** The file of a paper. By a link only what its carrier handed in. */
  paper: byLink(
    ofCarrier((state, { documentId, digest }: { documentId: string; digest?: string }, _moment) => {
      const seen = digest === undefined ? state.papers : state.status === "Cancelled" ? [] : carriersPapers(state);
      const paper = seen.find((one) => one.documentId === documentId);
      return paper ? { reply: paper.file } : refuse("not_found");
    }),
  ),

  /** The view for the holder of a link. */
  shared: byLink(ofCarrier((state, _ask: { digest: string }, _moment) => ({ reply: state }))),
});

type ReplaceReply = "Renamed" | { envelope: z.output<typeof CarrierOrderEnvelope>; before: string };

/** What is said of a paper before its bytes are put away. */
interface Expected {
  type: DocumentType;
  sha256: string;
  uploadedBy: Paper["uploadedBy"];
  /** Of the link it came by. */
  digest?: string;
}

/** What is said of a paper when they are. */
export interface Attached extends Omit<Expected, "sha256"> {
  documentId: string;
  file: StoredFile;
  comment?: string;
  quality?: Judgement;
}

/** The paper that is there already: the same bytes of the same type, under this link and live. A carrier knows its own. */
const knownAs = (state: CarrierOrder, { type, sha256, uploadedBy }: Omit<Expected, "digest">) =>
  (uploadedBy === "Carrier" ? carriersPapers(state) : papersOfLink(state)).find(
    (paper) => paper.file.sha256 === sha256 && paper.type === type && isLive(paper),
  );

/** The same paper once more, from work that is done twice. */
const repeated = (state: CarrierOrder, { documentId }: Attached) =>
  state.papers.find((paper) => paper.documentId === documentId && !paper.isWithdrawn);

const isFull = ({ papers }: CarrierOrder) => papers.length >= mostPapers;

const tooMany = ({ status }: CarrierOrder) =>
  refuse("invalid_state", `The order already has ${mostPapers} documents, the maximum.`, stuck(status));

function fresh({ given, places, metadata }: SaidOrder, context: CommandContext): CarrierOrder {
  return {
    kind: "Carrier",
    status: statusOf(given.requiredDocumentTypes, []),
    given,
    places,
    ...(metadata && { metadata }),
    link: newLink(1, context),
    ...(context.by?.accountId && { accountId: context.by.accountId }),
    papers: [],
    createdAt: context.at,
    updatedAt: context.at,
  };
}

const upsertKept = ofCarrier((state, said: SaidOrder, context) => {
  if (state.status === "Cancelled" || !isSameNumber(state.given.orderNumber, said.given.orderNumber))
    return refuse("in_progress", "The order number is being assigned to another order. Try again in a second.", {
      headers: { "retry-after": "1" },
    });
  const isSame = isSameParty(state.given.carrier, said.given.carrier);
  const { state: next, events } = isSame
    ? saidAnew(state, said, context, linkOf(state, context))
    : handedOver(state, said, context);
  return { state: next, events, reply: upserted(next ?? state, context, next ? "Updated" : "Unchanged") };
});

const upserted = (state: CarrierOrder, context: CommandContext, result: UpsertResult["result"]): UpsertResult => ({
  orderId: context.id,
  result,
  shareUrl: shareUrl(state, context),
});

/** The link, made anew when it cannot be shown any more. The carrier is the same, and so are its papers. */
const linkOf = (state: CarrierOrder, context: CommandContext): CarrierOrder["link"] =>
  canShow(state, context) ? state.link : newLink(state.link.number, context);

/** The order as it is said now; nothing, when it is said as it was. */
function saidAnew(
  state: CarrierOrder,
  said: SaidOrder,
  context: CommandContext,
  link = state.link,
): { state?: CarrierOrder; events?: DomainEvent<Events>[] } {
  const given = { ...said.given, carrier: withKnownVatCode(state.given.carrier, said.given.carrier) };
  const metadata = said.metadata ?? state.metadata;
  if (isDeepStrictEqual([given, metadata, link], [state.given, state.metadata, state.link])) return {};
  return updated(state, { ...state, given, places: said.places, ...(metadata && { metadata }), link }, [], context);
}

/** The order goes to another carrier: a new link, and the papers of the one before no longer count. */
function handedOver(state: CarrierOrder, said: SaidOrder, context: CommandContext) {
  const { papers, moved } = superseded(state.papers);
  const metadata = said.metadata ?? state.metadata;
  const next = {
    ...state,
    given: said.given,
    places: said.places,
    ...(metadata && { metadata }),
    link: newLink(state.link.number + 1, context),
    papers,
  };
  return updated(state, next, moved, context);
}

function updated(before: CarrierOrder, next: CarrierOrder, moved: Moved[], context: CommandContext) {
  const state = withPapers(next, next.papers, context);
  const events = [
    happened("CarrierOrderUpdated", state, context),
    ...movedHappened(moved, state, context),
    ...statusHappened(before, state, context),
  ];
  return { state, events };
}

const withPapers = (state: CarrierOrder, papers: Paper[], { at }: CommandContext): CarrierOrder => ({
  ...state,
  papers,
  status: statusOf(state.given.requiredDocumentTypes, papers),
  updatedAt: at,
});

function happened(
  type: "CarrierOrderCreated" | "CarrierOrderUpdated" | "CarrierOrderCancelled" | "CarrierOrderStatusChanged",
  state: CarrierOrder,
  { id }: CommandContext,
  previousStatus?: string,
): DomainEvent<Events> {
  const data = { ...envelopeOf(state), orderId: id, carrierOrder: besideOf(state) };
  return { type, status: state.status, ...(previousStatus && { previousStatus }), data };
}

const statusHappened = (before: CarrierOrder, state: CarrierOrder, context: CommandContext): DomainEvent<Events>[] =>
  before.status === state.status ? [] : [happened("CarrierOrderStatusChanged", state, context, before.status)];

const movedHappened = (moved: Moved[], state: CarrierOrder, context: CommandContext) =>
  moved.map((one) => documentHappened("OrderDocumentStatusChanged", one, state, context));

function documentHappened(
  type: "OrderDocumentUploaded" | "OrderDocumentStatusChanged" | "OrderDocumentDeleted",
  { paper, before }: Partial<Moved> & { paper: Paper },
  state: CarrierOrder,
  { id }: CommandContext,
): DomainEvent<Events> {
  const data = { ...viewOfPaper(paper), orderId: id, orderStatus: state.status };
  return { type, status: paper.status, ...(before && { previousStatus: before }), documentId: paper.documentId, data };
}
