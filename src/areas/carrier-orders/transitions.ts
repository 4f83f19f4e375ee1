import {
  refuse,
  type CommandContext,
  type Decide,
  type DecisionOrRefusal,
  type DomainEvent,
} from "../../platform/decision.ts";
import { sameDigest } from "../../platform/key-format.ts";
import { viewOfDocument, type StatusChange, type UploadedDocument } from "./documents.ts";
import { envelopeOf, statusOf, viewWithoutLink, type CarrierOrder, type Events, type StoredOrder } from "./model.ts";

// Common parts of decisions about carrier orders: preconditions, and the events of a change.

type DecideOnCarrierOrder<Input, Reply> = (
  state: CarrierOrder,
  input: Input,
  context: CommandContext,
) => DecisionOrRefusal<CarrierOrder, Events, Reply>;

/** Refuses a decision unless the order exists and is a carrier order. */
export const onCarrierOrder =
  <Input, Reply>(decide: DecideOnCarrierOrder<Input, Reply>): Decide<StoredOrder, Events, Input, Reply> =>
  (state, input, context) => {
    if (!state || (state.kind === undefined && state.removed)) return refuse("not_found");
    if (state.kind === "Carrier") return decide(state, input, context);
    return refuse(
      "invalid_state",
      "The order was extracted from a document. This request is possible for carrier orders only.",
      finalStatus(state.status),
    );
  };

/** Refuses a decision unless the order is a carrier order that is not cancelled. */
export const onActiveOrder = <Input, Reply>(decide: DecideOnCarrierOrder<Input, Reply>) =>
  onCarrierOrder<Input, Reply>((state, input, context) =>
    state.status === "Cancelled"
      ? refuse("invalid_state", "The order is cancelled and cannot be used any more.", finalStatus(state.status))
      : decide(state, input, context),
  );

/** Refuses a decision with `not_found` if the input contains the digest of a link that is not the order's link. */
export const checkLink =
  <Input extends { digest?: string }, Reply>(
    decide: Decide<StoredOrder, Events, Input, Reply>,
  ): Decide<StoredOrder, Events, Input, Reply> =>
  (state, input, context) => {
    const isOwnLink = state?.kind === "Carrier" && sameDigest(input.digest ?? "", state.link.digest);
    return input.digest === undefined || isOwnLink ? decide(state, input, context) : refuse("not_found");
  };

/** Returns the fields of a refusal for an order whose status allows no change. */
export const finalStatus = (currentStatus: string) => ({ extra: { currentStatus, allowed: [] } });

/** Replaces the documents of the order and derives its status from them. */
export const withDocuments = (
  state: CarrierOrder,
  papers: UploadedDocument[],
  { at }: CommandContext,
): CarrierOrder => ({ ...state, papers, status: statusOf(state.given.requiredDocumentTypes, papers), updatedAt: at });

export function orderEvent(
  type: "CarrierOrderCreated" | "CarrierOrderUpdated" | "CarrierOrderCancelled" | "CarrierOrderStatusChanged",
  state: CarrierOrder,
  { id }: CommandContext,
  previousStatus?: string,
): DomainEvent<Events> {
  const data = { ...envelopeOf(state), orderId: id, carrierOrder: viewWithoutLink(state) };
  return { type, status: state.status, ...(previousStatus && { previousStatus }), data };
}

/** Returns the event `CarrierOrderStatusChanged`, if the status has changed. */
export const statusEvents = (
  before: CarrierOrder,
  state: CarrierOrder,
  context: CommandContext,
): DomainEvent<Events>[] =>
  before.status === state.status ? [] : [orderEvent("CarrierOrderStatusChanged", state, context, before.status)];

export const documentStatusEvents = (changes: StatusChange[], state: CarrierOrder, context: CommandContext) =>
  changes.map((change) => documentEvent("OrderDocumentStatusChanged", change, state, context));

export function documentEvent(
  type: "OrderDocumentUploaded" | "OrderDocumentStatusChanged" | "OrderDocumentDeleted",
  { document, previousStatus }: Partial<StatusChange> & Pick<StatusChange, "document">,
  state: CarrierOrder,
  { id }: CommandContext,
): DomainEvent<Events> {
  const { documentId, status } = document;
  const data = { ...viewOfDocument(document), orderId: id, orderStatus: state.status };
  return { type, status, ...(previousStatus && { previousStatus }), documentId, data };
}
