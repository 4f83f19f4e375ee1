/** An acknowledged change. `version` is the order's version in the response. */
export interface Acknowledged {
  orderId: string;
  version: number;
}

/** An event that a receiver accepted. */
export interface Delivered extends Acknowledged {
  /** The path of the webhook that delivered it. */
  webhook: string;
  id: string;
  type: string;
}

/** Differences between acknowledged changes and delivered events. */
export interface DeliveryFaults {
  /** Number of required deliveries: one of each acknowledged version to each webhook. */
  required: number;
  lost: string[];
  /**
   * Changes whose version is not later than that of the order's previous change. The previous change was therefore
   * lost.
   */
  undone: string[];
  /** Versions that were delivered in two events with different ids. */
  underTwoIds: string[];
  /** Events about orders that were never created. */
  strangers: string[];
  /** Versions that were first delivered after a later version. */
  late: string[];
  /** Events that were delivered again, which is allowed. */
  repeated: number;
}

/** Compares the acknowledged changes with the delivered events. */
export function findDeliveryFaults(
  acknowledged: readonly Acknowledged[],
  delivered: readonly Delivered[],
  webhooks: readonly string[],
): DeliveryFaults {
  const made = new Set(acknowledged.map(({ orderId }) => orderId));
  const ids = Map.groupBy(delivered, placeOf);
  const required = new Set(
    acknowledged.flatMap((change) => webhooks.map((webhook) => placeOf({ webhook, ...change }))),
  );
  const kinds = Map.groupBy(delivered, (one) => `${placeOf(one)} ${one.type}`);
  return {
    required: required.size,
    lost: [...required].filter((place) => !ids.has(place)),
    undone: undoneIn(acknowledged),
    underTwoIds: [...kinds].filter(([, all]) => new Set(all.map(({ id }) => id)).size > 1).map(([place]) => place),
    strangers: delivered.filter(({ orderId }) => !made.has(orderId)).map(({ id }) => id),
    late: lateIn(delivered),
    repeated: delivered.length - new Set(delivered.map(({ webhook, id }) => `${webhook} ${id}`)).size,
  };
}

const placeOf = ({ webhook, orderId, version }: Omit<Delivered, "id" | "type">) => `${webhook} ${orderId} ${version}`;

/**
 * Finds the changes whose version is not later than that of the order's previous change. The changes of an order are
 * requested one after the other.
 */
function undoneIn(acknowledged: readonly Acknowledged[]): string[] {
  const last = new Map<string, number>();
  return acknowledged.flatMap(({ orderId, version }) => {
    const before = last.get(orderId) ?? 0;
    last.set(orderId, version);
    return version > before ? [] : [`${orderId} ${version}`];
  });
}

function lateIn(delivered: readonly Delivered[]): string[] {
  const known = new Set<string>();
  const last = new Map<string, number>();
  return delivered.flatMap((one) => {
    const [event, of] = [`${one.webhook} ${one.id}`, `${one.webhook} ${one.orderId}`];
    if (known.has(event)) return [];
    known.add(event);
    const before = last.get(of) ?? 0;
    last.set(of, Math.max(before, one.version));
    return one.version < before ? [placeOf(one)] : [];
  });
}
