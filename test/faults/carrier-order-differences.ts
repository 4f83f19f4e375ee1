import type { CarrierAnswer, CarrierSide } from "../support/carriers.ts";
import type { RecordedEvent } from "./recording-receiver.ts";

/** The acknowledged state of an order. */
export interface AcknowledgedOrder {
  orderId: string;
  /** The body that was sent last. */
  body: { orderNumber: string; internalComments: string };
  documentId: string;
  bytes: string;
  /** The last acknowledged status of its document. */
  paper: string;
  status: string;
  /** Types of the events that the changes of the order cause, in order. */
  events: string[];
}

/** The stored orders, by order id. */
export interface StoredOrders {
  objects: Map<string, { order: Partial<CarrierAnswer>; bytes: unknown; leadsTo: string | undefined }>;
  archive: Map<string, Pick<CarrierSide, "status" | "documents"> & { orderNumber: string }>;
  /** The events that a webhook receiver got, in order of arrival. */
  heard: Map<string, RecordedEvent[]>;
}

/** Ids of the orders that differ from their acknowledged state. */
export interface OrderLosses {
  /** The order, its document or the status of its document differs. */
  order: string[];
  bytes: string[];
  /** The order number belongs to another order or to none. */
  number: string[];
  /** The archive lacks the order or has another state. */
  archive: string[];
  /** An event is missing, or one change caused two events. */
  events: string[];
  /** The events first arrived in another order than that of the changes. */
  sequence: string[];
  /** Stored orders that were never acknowledged. */
  strangers: string[];
}

/** Compares the acknowledged orders with the stored ones. */
export function differences(
  kept: readonly AcknowledgedOrder[],
  { objects, archive, heard }: StoredOrders,
): OrderLosses {
  const wrong = (isWrong: (order: AcknowledgedOrder) => boolean) => kept.filter(isWrong).map(({ orderId }) => orderId);
  const known = new Set(kept.map(({ orderId }) => orderId));
  const once = (id: string) =>
    [
      ...new Map(
        heard
          .get(id)
          ?.toReversed()
          .map((event) => [event.id, event]),
      ).values(),
    ].toReversed();
  return {
    order: wrong((order) => !isKept(order, objects.get(order.orderId)?.order)),
    bytes: wrong(({ orderId, bytes }) => objects.get(orderId)?.bytes !== bytes),
    number: wrong(({ orderId }) => objects.get(orderId)?.leadsTo !== orderId),
    archive: wrong((order) => !isArchived(order, archive.get(order.orderId))),
    events: wrong(({ orderId, events }) => sorted(typesOf(once(orderId))) !== sorted(events)),
    sequence: wrong(({ orderId, events }) => {
      const types = typesOf(once(orderId));
      return sorted(types) === sorted(events) && types.join() !== events.join();
    }),
    strangers: [...archive.keys(), ...heard.keys()].filter((id) => !known.has(id)),
  };
}

function isKept(
  { body, documentId, paper, status }: AcknowledgedOrder,
  order: Partial<CarrierAnswer> | undefined,
): boolean {
  const { carrierOrder: side, data } = order ?? {};
  return (
    data?.orderNumber === body.orderNumber &&
    side?.status === status &&
    side.internalComments === body.internalComments &&
    isPaper(side.documents, documentId, paper)
  );
}

const isArchived = (
  { body, documentId, paper, status }: AcknowledgedOrder,
  row: ReturnType<StoredOrders["archive"]["get"]>,
): boolean =>
  row?.orderNumber === body.orderNumber && row.status === status && isPaper(row.documents, documentId, paper);

const isPaper = (documents: CarrierSide["documents"], documentId: string, status: string) =>
  documents.length === 1 && documents[0]!.documentId === documentId && documents[0]!.status === status;

const typesOf = (events: RecordedEvent[]) => events.map(({ type }) => type);
const sorted = (types: string[]) => types.toSorted().join();
