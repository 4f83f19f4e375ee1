import type { Decide } from "./decision.ts";
import type { OwnerBinding } from "./env.ts";

/** A body that is JSON already. */
export interface Written {
  json: string;
}

/** What an owner answered: the reply and the version of the thing it is about. */
export interface Outcome<Reply> {
  reply: Reply;
  version: number;
  status?: number;
  /** The stored answer to an earlier request with the same idempotency key. */
  replayed?: boolean;
}

/** A decision that is no operation of its own: asked for by handlers and by background work. */
export interface Step<A, Reply> {
  binding: OwnerBinding;
  name: string;
  // eslint-disable-next-line typescript/no-explicit-any -- whose state it decides about is the area's affair
  decide: Decide<any, any, A, Reply>;
}

/** Names the steps of an area, so that the owner finds them again: `orders.receive`. */
export function stepsOn<State, Events>(binding: OwnerBinding, area: string) {
  return <Steps extends Record<string, Decide<State, Events, never, unknown>>>(steps: Steps) =>
    Object.fromEntries(
      Object.entries(steps).map(([name, decide]) => [name, { binding, name: `${area}.${name}`, decide }]),
    ) as {
      [K in keyof Steps]: Steps[K] extends Decide<State, Events, infer A, infer Reply> ? Step<A, Reply> : never;
    };
}
