import { commands } from "../src/areas/quality/commands.ts";
import type { Quality } from "../src/areas/quality/model.ts";
import { qualityRow } from "../src/areas/quality/search.ts";
import { operations } from "../src/areas/quality/operations.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each file whose readability is assessed. */
export class QualityObject extends Aggregate<Quality> {
  readonly noun = "Quality";
  readonly decisions = decisionsOf({ quality: { operations, commands } });
  urlOf = (id: string) => `/api/v1/documents/quality/${id}`;
  archiveRow = qualityRow;
  protected override isComplete = ({ status }: Quality) => status !== "Processing";
}
