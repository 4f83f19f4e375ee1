import * as z from "zod";

/** What happens around webhooks themselves. */
export const events = {
  Test: z.object({ message: z.string() }).meta({
    id: "Test",
    description: "Sent on request to test a receiver.",
    examples: [{ message: "Hello from Lorry." }],
  }),
};
