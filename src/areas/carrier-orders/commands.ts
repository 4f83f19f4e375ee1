import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import { refuse, type CommandContext, type Refusal } from "../../platform/decision.ts";
import type { KnownPlace } from "../../domain/places/places.ts";
import { commandsOn } from "../../platform/command.ts";
import { isSameParty, withKnownVatCode } from "../../domain/parties.ts";
import { documentCommands } from "./document-commands.ts";
import { supersedeAll, type OrderDocumentView, type StatusChange } from "./documents.ts";
import { canDeriveSecret, newLink, shareUrl } from "./link.ts";
import {
  dataOf,
  envelopeOf,
  isSameNumber,
  statusOf,
  type CarrierOrder,
  type CarrierOrderEnvelope,
  type Events,
  type OrderData,
  type StoredOrder,
  type UpsertResult,
} from "./model.ts";
import {
  checkLink,
  documentStatusEvents,
  onActiveOrder,
  onCarrierOrder,
  orderEvent,
  statusEvents,
  withDocuments,
} from "./transitions.ts";

/** The data of an order, and the gazetteer entries of its stops. Without `metadata`, the stored metadata is kept. */
export interface OrderInput {
  given: OrderData;
  places: KnownPlace[];
  metadata?: Record<string, string>;
}

type ReplaceReply = "Renamed" | { envelope: z.output<typeof CarrierOrderEnvelope>; before: string };

export const commands = commandsOn<StoredOrder, Events>(
  "ORDERS",
  "carrierOrders",
)({
  ...documentCommands,

  create: (state: StoredOrder | undefined, input: OrderInput, context) => {
    if (state) return refuse("duplicate_order_number", `Order number ${input.given.orderNumber} is already in use.`);
    const order = createOrder(input, context);
    const reply = { ...envelopeOf(order), orderId: context.id, shareUrl: shareUrl(order, context) };
    return { state: order, events: [orderEvent("CarrierOrderCreated", order, context)], reply };
  },

  /**
   * @returns "Renamed", without a change, if the order number changes and the caller has not claimed the new number
   * (`held`)
   */
  replace: onActiveOrder<OrderInput & { held?: boolean }, ReplaceReply>((state, { held, ...input }, context) => {
    if (!isSameParty(state.given.carrier, input.given.carrier))
      return refuse(
        "carrier_change_refused",
        "This request cannot change the carrier of the order. Send the order to POST /api/v1/orders/upsert.",
      );
    if (!held && !isSameNumber(state.given.orderNumber, input.given.orderNumber)) return { reply: "Renamed" };
    const next = updateData(state, input, context);
    return { ...next, reply: { envelope: envelopeOf(next.state ?? state), before: state.given.orderNumber } };
  }),

  /**
   * Creates or replaces an order. Refuses with `in_progress` if the number was assigned to another order in the
   * meantime. With `isSeen`, the order must exist, because the request names its version.
   */
  upsert: (state: StoredOrder | undefined, { isSeen, ...input }: OrderInput & { isSeen?: boolean }, context) => {
    if (state) return upsertExisting(state, input, context);
    if (isSeen)
      return refuse(
        "version_mismatch",
        `If-Match requires an existing order, and the order ${input.given.orderNumber} does not exist.`,
      );
    const order = createOrder(input, context);
    const events = [orderEvent("CarrierOrderCreated", order, context)];
    return { state: order, events, reply: upsertResult(order, context, "Created") };
  },

  cancel: onCarrierOrder((state, _: object, context) => {
    const reply = { orderNumber: state.given.orderNumber };
    if (state.status === "Cancelled") return { reply };
    const next: CarrierOrder = { ...state, status: "Cancelled", updatedAt: context.at };
    return { state: next, events: [orderEvent("CarrierOrderCancelled", next, context, state.status)], reply };
  }),

  /** Returns whether the order was extracted from a file, also for a deleted order. */
  isRead: (state: StoredOrder | undefined) =>
    state ? { reply: { isRead: state.kind === undefined } } : refuse("not_found"),

  /** Returns the number of a carrier order. `made` is absent if the order does not exist. */
  number: (state: StoredOrder | undefined) => {
    if (state?.kind !== "Carrier") return { reply: {} };
    return { reply: { made: { orderNumber: state.given.orderNumber, isLive: state.status !== "Cancelled" } } };
  },

  /** Returns the data in the format of extracted orders. */
  data: onActiveOrder((state, _input: object) => ({ reply: dataOf(state) })),

  /**
   * Returns a refusal that was already decided. It is a command, so that a repeated request with the same idempotency
   * key gets the first response instead.
   */
  refused: (_: StoredOrder | undefined, refusal: Refusal): Refusal | { reply: OrderDocumentView } => refusal,

  /** Returns the order for the page behind the carrier's link. */
  shared: checkLink(onCarrierOrder((state, _input: { digest: string }) => ({ reply: state }))),
});

const createOrder = ({ given, places, metadata }: OrderInput, context: CommandContext): CarrierOrder => ({
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
});

const upsertExisting = onCarrierOrder((state, input: OrderInput, context) => {
  if (state.status === "Cancelled" || !isSameNumber(state.given.orderNumber, input.given.orderNumber))
    return refuse("in_progress", "The order number is being assigned to another order. Try again in a second.", {
      headers: { "retry-after": "1" },
    });
  const isSame = isSameParty(state.given.carrier, input.given.carrier);
  const { state: next, events } = isSame
    ? updateData(state, input, context, renewLink(state, context))
    : changeCarrier(state, input, context);
  return { state: next, events, reply: upsertResult(next ?? state, context, next ? "Updated" : "Unchanged") };
});

const upsertResult = (state: CarrierOrder, context: CommandContext, result: UpsertResult["result"]): UpsertResult => ({
  orderId: context.id,
  result,
  shareUrl: shareUrl(state, context),
});

/**
 * Returns the link, or a new link if the secret of the old one can no longer be derived. The new link has the number of
 * the old one, so that the carrier still sees its documents.
 */
const renewLink = (state: CarrierOrder, context: CommandContext): CarrierOrder["link"] =>
  canDeriveSecret(state, context) ? state.link : newLink(state.link.number, context);

/** Identical data changes nothing. */
function updateData(
  state: CarrierOrder,
  input: OrderInput,
  context: CommandContext,
  link = state.link,
): Partial<ReturnType<typeof updated>> {
  const given = { ...input.given, carrier: withKnownVatCode(state.given.carrier, input.given.carrier) };
  const metadata = input.metadata ?? state.metadata;
  if (isDeepStrictEqual([given, metadata, link], [state.given, state.metadata, state.link])) return {};
  return updated(state, { ...state, given, places: input.places, ...(metadata && { metadata }), link }, [], context);
}

/**
 * Assigns the order to another carrier, with a new link. Documents uploaded for the previous carrier no longer count.
 */
function changeCarrier(state: CarrierOrder, { given, places, metadata }: OrderInput, context: CommandContext) {
  const { documents: papers, changes } = supersedeAll(state.papers);
  const link = newLink(state.link.number + 1, context);
  return updated(state, { ...state, given, places, ...(metadata && { metadata }), link, papers }, changes, context);
}

function updated(before: CarrierOrder, next: CarrierOrder, changes: StatusChange[], context: CommandContext) {
  const state = withDocuments(next, next.papers, context);
  const events = [
    orderEvent("CarrierOrderUpdated", state, context),
    ...documentStatusEvents(changes, state, context),
    ...statusEvents(before, state, context),
  ];
  return { state, events };
}
