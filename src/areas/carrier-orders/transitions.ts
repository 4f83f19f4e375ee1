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

// What the decisions about carrier orders share: which orders they apply to, and the events of a change.

type DecideOnCarrierOrder<Input, Reply> = (
  state: CarrierOrder,
  input: Input,
  context: CommandContext,
) => DecisionOrRefusal<CarrierOrder, Events, Reply>;

/** A decision that is refused unless the order exists and is a carrier order. */
export const onCarrierOrder =
  <Input, Reply>(decide: DecideOnCarrierOrder<Input, Reply>): Decide<StoredOrder, Events, Input, Reply> =>
  (state, input, context) => {
    if (!state || (state.kind === undefined && state.removed)) return refuse("not_found");
    if (state.kind === "Carrier") return decide(state, input, context);
    return refuse(
      "invalid_state",
      "The order was extracted from a document and is not a carrier order.",
      finalStatus(state.status),
    );
  };

/** The same, and the order must not be cancelled. */
export const onActiveOrder = <Input, Reply>(decide: DecideOnCarrierOrder<Input, Reply>) =>
  onCarrierOrder<Input, Reply>((state, input, context) =>
    state.status === "Cancelled"
      ? refuse("invalid_state", "The order is cancelled.", finalStatus(state.status))
      : decide(state, input, context),
  );

/** A decision that answers `not_found` if the digest of a link is sent and the link does not belong to this order. */
export const checkLink =
  <Input extends { digest?: string }, Reply>(
    decide: Decide<StoredOrder, Events, Input, Reply>,
  ): Decide<StoredOrder, Events, Input, Reply> =>
  (state, input, context) => {
    const isOwnLink = state?.kind === "Carrier" && sameDigest(input.digest ?? "", state.link.digest);
    return input.digest === undefined || isOwnLink ? decide(state, input, context) : refuse("not_found");
  };

/** Details of a refusal in a status that allows no change. */
export const finalStatus = (currentStatus: string) => ({ extra: { currentStatus, allowed: [] } });

/** The order with other documents, and the status that follows from them. */
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

/** `CarrierOrderStatusChanged`, if the status changed. */
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
