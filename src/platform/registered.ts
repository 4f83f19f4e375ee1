/**
 * Names that the types of the platform use. `src/records.ts` adds them by interface merging, because the platform
 * imports no area.
 */
export interface Registered {}

type NameOf<Key extends string> = Registered extends Record<Key, infer Name extends string> ? Name : string;

/** Binding of an aggregate, such as "ORDERS". */
export type AggregateBinding = NameOf<"binding">;
/** Type of a record in events and in the audit log, such as "Order". */
export type RecordType = NameOf<"recordType">;
