import type { Decide } from "./decision.ts";
import type { AggregateBinding } from "./registered.ts";

/** A body that is JSON already. */
export interface JsonText {
  json: string;
}

/** What an owner answered: the reply and the version of the thing it is about. */
export interface CommandOutcome<Reply> {
  reply: Reply;
  version: number;
  status?: number;
  /** The stored answer to an earlier request with the same idempotency key. */
  replayed?: boolean;
}

/** A decision that is no operation of its own: asked for by handlers and by background work. */
export interface Command<A, Reply> {
  binding: AggregateBinding;
  name: string;
  // eslint-disable-next-line typescript/no-explicit-any -- whose state it decides about is the area's affair
  decide: Decide<any, any, A, Reply>;
}

/** Names the commands of an area so that the aggregate finds them: `orders.receive`. */
export function commandsOn<State, Events>(binding: AggregateBinding, area: string) {
  return <Commands extends Record<string, Decide<State, Events, never, unknown>>>(commands: Commands) =>
    Object.fromEntries(
      Object.entries(commands).map(([name, decide]) => [name, { binding, name: `${area}.${name}`, decide }]),
    ) as {
      [K in keyof Commands]: Commands[K] extends Decide<State, Events, infer A, infer Reply>
        ? Command<A, Reply>
        : never;
    };
}
