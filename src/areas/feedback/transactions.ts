import type { CommandOutcome } from "../../platform/command.ts";
import type { Context } from "../../http/operation.ts";
import { invalid, itemsOf, Problem, wrongField, type ErrorItem } from "../../platform/problem.ts";
import { Id } from "../../domain/shapes.ts";
import { ledgerOf } from "../transactions/ledger.ts";
import { ChangeInput } from "../transactions/shapes.ts";
import { viewOf } from "../transactions/model.ts";
import type { FeedbackInput, FeedbackView } from "./shapes.ts";
import { commands } from "./commands.ts";

/** What can be put right of a transaction: whose it is. */
const mendable = ["licensePlate", "vehicleId", "driver"] as const;
type Mendable = (typeof mendable)[number];

/**
 * What somebody says of a transaction: the plate, the vehicle or the driver it was matched with. It is matched anew, as by
 * a PUT of it.
 * @throws Problem `not_found`, `invalid_state`, `validation_failed` naming each correction that cannot be
 */
export async function ofTransaction(body: FeedbackInput, context: Context): Promise<CommandOutcome<FeedbackView>> {
  const { env, caller, by, newId } = context;
  const { id, type } = body.subject;
  const ledger = ledgerOf(env, caller.company);
  const found = await ledger.read(id);
  if (!found) throw new Problem("not_found", `There is no transaction ${id}.`);
  const corrections = (body.corrections ?? []).map(({ path, value, comment }, at) => {
    const field = fieldIn(path, at);
    return { field, value: field === "vehicleId" ? (Id.safeParse(value).data ?? value) : value, comment };
  });
  const before = viewOf(found);
  const shown = { licensePlate: before.licensePlate, vehicleId: before.vehicleId, driver: before.driver?.name };
  if (corrections.length > 0) {
    const change = ChangeInput.safeParse(Object.fromEntries(corrections.map(({ field, value }) => [field, value])));
    if (!change.success) throw invalid(itemsOf(change.error));
    const outcome = await ledger.change(id, change.data, undefined, by);
    if ("refused" in outcome) throw new Problem(outcome.refused, outcome.detail, outcome);
  }
  const isWrong = ({ field, value }: { field: Mendable; value: unknown }) => shown[field] !== value;
  const isGood = body.rating === "Good" && corrections.length === 0 && shown.vehicleId !== undefined;
  return context.execute(commands.give, newId, {
    subject: { type, id, sequenceId: 0 },
    kind: "transaction",
    rating: body.rating,
    corrections: corrections.map(({ field, value, comment }) => ({
      pointer: `/${field}`,
      before: shown[field],
      value,
      ...(comment !== undefined && { comment }),
    })),
    ...(body.comment !== undefined && { comment: body.comment }),
    fields: isGood
      ? [{ field: "/vehicleId", right: 1, wrong: 0 }]
      : corrections.map((each) => ({
          field: `/${each.field}`,
          right: isWrong(each) ? 0 : 1,
          wrong: isWrong(each) ? 1 : 0,
        })),
  });
}

function fieldIn(path: string, at: number): Mendable {
  const plain = path.replace(/^\//, "").replace(/^driver[./]name$/, "driver");
  const field = mendable.find((each) => each === plain);
  if (field) return field;
  const wrong: ErrorItem = wrongField(
    ["corrections", at, "path"],
    "unknown_path",
    `Only these fields of a transaction can be corrected: ${mendable.join(", ")}.`,
  );
  throw invalid([wrong]);
}
