import * as z from "zod";

/** What happens around webhooks themselves. */
export const events = {
  Test: z.object({ message: z.string() }).meta({
    id: "Test",
    description: "Sent on request, so that a receiver can be tried out; nothing has happened.",
    examples: [{ message: "Hello from Lorry." }],
  }),
};
