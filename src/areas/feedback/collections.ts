import type { CommandOutcome } from "../../platform/command.ts";
import type { Context } from "../../http/operation.ts";
import { invalid, wrongField } from "../../platform/problem.ts";
import { Bounds } from "../document-collections/model.ts";
import { commands as collectionCommands } from "../document-collections/commands.ts";
import type { FeedbackInput, FeedbackView } from "./shapes.ts";
import { commands } from "./commands.ts";

/**
 * What somebody says of a pile: where its documents begin and end, all of them. It is taken apart anew by that.
 * @throws Problem `not_found`, `invalid_state`, `validation_failed` where pages are not there or lie in two documents
 */
export async function ofCollection(body: FeedbackInput, context: Context): Promise<CommandOutcome<FeedbackView>> {
  const { id, type } = body.subject;
  await context.send(collectionCommands.look, id, {});
  const corrections = body.corrections ?? [];
  const bounds = corrections.map(({ path, value }, at) => boundsIn(path, value, at)).at(-1);
  const before = bounds && (await context.send(collectionCommands.bound, id, { bounds })).before;
  const isJudged = bounds !== undefined || body.rating === "Good";
  return context.execute(commands.give, context.newId, {
    subject: { type, id, sequenceId: 0 },
    rating: body.rating,
    corrections: corrections.map(({ comment }) => ({
      pointer: "/documents",
      before,
      value: bounds,
      ...(comment !== undefined && { comment }),
    })),
    ...(body.comment !== undefined && { comment: body.comment }),
    fields: isJudged ? [{ field: "/documents", right: bounds ? 0 : 1, wrong: bounds ? 1 : 0 }] : [],
  });
}

function boundsIn(path: string, value: unknown, at: number): Bounds {
  if (path !== "/documents" && path !== "documents") {
    const message =
      "Only documents of a collection can be corrected: send all of them, each with fileId, pageFrom and pageTo.";
    throw invalid([wrongField(["corrections", at, "path"], "unknown_path", message)]);
  }
  const read = Bounds.safeParse(value);
  if (read.success) return read.data;
  const message = read.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join(" ");
  throw invalid([wrongField(["corrections", at, "value"], "invalid", message)]);
}
