import { commands } from "../src/areas/quality/commands.ts";
import type { Quality } from "../src/areas/quality/model.ts";
import { qualityRow } from "../src/areas/quality/search.ts";
import { operations } from "../src/areas/quality/operations.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each file that is looked at for how well it can be read. */
export class QualityObject extends Aggregate<Quality> {
  readonly noun = "Quality";
  readonly decisions = decisionsOf({ quality: { operations, commands } });
  urlOf = (id: string) => `/api/v1/documents/quality/${id}`;
  archiveRow = qualityRow;
  protected override isSettled = ({ status }: Quality) => status !== "Processing";
}
