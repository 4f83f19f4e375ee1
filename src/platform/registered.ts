/**
 * Names that the platform's types use. `src/records.ts` declares them by interface merging, because the platform imports no
 * area.
 */
export interface Registered {}

type NameOf<Key extends string> = Registered extends Record<Key, infer Name extends string> ? Name : string;

/** Name of the binding of an aggregate, such as "ORDERS". */
export type AggregateBinding = NameOf<"binding">;
/** Type of a record in events and in the audit log, such as "Order". */
export type RecordType = NameOf<"recordType">;
