import type { CarrierAnswer, CarrierSide } from "../support/carriers.ts";
import type { RecordedEvent } from "./recording-receiver.ts";

/** What was acknowledged of an order. */
export interface AcknowledgedOrder {
  orderId: string;
  /** As it was last sent. */
  body: { orderNumber: string; internalComments: string };
  documentId: string;
  bytes: string;
  /** The last verdict on its paper. */
  paper: string;
  status: string;
  /** Types of the events its life makes, in order. */
  events: string[];
}

/** What is there, by the orders' ids. */
export interface StoredOrders {
  objects: Map<string, { order: Partial<CarrierAnswer>; bytes: unknown; leadsTo: string | undefined }>;
  archive: Map<string, Pick<CarrierSide, "status" | "documents"> & { orderNumber: string }>;
  /** What a receiver of webhooks heard, as it came. */
  heard: Map<string, RecordedEvent[]>;
}

/** Ids of the orders with which something is wrong. */
export interface OrderLosses {
  /** Not as it was acknowledged: the order, its paper, the verdict. */
  order: string[];
  bytes: string[];
  /** Its number leads to another order, or to none. */
  number: string[];
  /** The archive has it not, or otherwise. */
  archive: string[];
  /** A change nobody heard of, or that was told by two events. */
  events: string[];
  /** Events that came first in another order than things happened. */
  sequence: string[];
  /** Orders nobody knows of. */
  strangers: string[];
}

/** Holds what was acknowledged against what is there. */
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
