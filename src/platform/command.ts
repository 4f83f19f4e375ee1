import type { Decide } from "./decision.ts";
import type { AggregateBinding } from "./registered.ts";

/** A serialized reply. */
export interface JsonText {
  json: string;
}

/** Result of a command, with the version of the record. */
export interface CommandOutcome<Reply> {
  reply: Reply;
  version: number;
  status?: number;
  /** Set on the stored reply to an earlier request with the same idempotency key. */
  replayed?: boolean;
}

/** A named decision of an aggregate that handlers and jobs execute. */
export interface Command<Input, Reply> {
  binding: AggregateBinding;
  name: string;
  // eslint-disable-next-line typescript/no-explicit-any -- the state is private to the area
  decide: Decide<any, any, Input, Reply>;
}

/** Names the commands of an area, such as `orders.receive`. The aggregate finds them by these names. */
export function commandsOn<State, Events>(binding: AggregateBinding, area: string) {
  return <Commands extends Record<string, Decide<State, Events, never, unknown>>>(commands: Commands) =>
    Object.fromEntries(
      Object.entries(commands).map(([name, decide]) => [name, { binding, name: `${area}.${name}`, decide }]),
    ) as {
      [K in keyof Commands]: Commands[K] extends Decide<State, Events, infer Input, infer Reply>
        ? Command<Input, Reply>
        : never;
    };
}
