/**
 * Names of the areas that the types of the platform spell. The platform knows no area, so `src/records.ts` declares them, as
 * it has a row for each kind of record.
 */
export interface Registered {}

type NameOf<Key extends string> = Registered extends Record<Key, infer Name extends string> ? Name : string;

/** Binding of a Durable Object that is an aggregate: "ORDERS". */
export type AggregateBinding = NameOf<"binding">;
/** A kind of record as events and the audit log name it: "Order". */
export type RecordType = NameOf<"recordType">;
