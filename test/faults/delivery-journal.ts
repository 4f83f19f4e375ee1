/** A change whose caller was told that it is done: the order then had this version. */
export interface Acknowledged {
  orderId: string;
  version: number;
}

/** An event as a receiver took it. */
export interface Delivered extends Acknowledged {
  /** The webhook it came by. */
  webhook: string;
  id: string;
  type: string;
}

/** What is wrong with what was delivered. */
export interface DeliveryFaults {
  /** Deliveries that had to come: each acknowledged version, by each webhook. */
  required: number;
  lost: string[];
  /** Acknowledged under a version that an earlier change of the same order had: what was acknowledged then is gone. */
  undone: string[];
  /** Told by two events of different ids. */
  underTwoIds: string[];
  /** Of orders that nobody made. */
  strangers: string[];
  /** First heard of after a later version of the same order. */
  late: string[];
  /** The same event again, which is allowed. */
  repeated: number;
}

/** Holds what was acknowledged against what was delivered. */
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

/** Changes of one order are asked for one after the other, so that each has a later version than the one before. */
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
