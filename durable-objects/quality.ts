import * as quality from "../src/areas/quality/index.ts";
import type { ArchiveRow } from "../src/platform/archive/archive.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each file that is looked at for how well it can be read. */
export class QualityObject extends Aggregate<quality.Quality> {
  readonly noun = "Quality";
  readonly decisions = decisionsOf({ quality });
  urlOf = (id: string) => `/api/v1/documents/quality/${id}`;
  archiveRow = (state: quality.Quality, company: string, id: string): ArchiveRow =>
    quality.qualityRow(state, company, id);
  protected override isSettled = ({ status }: quality.Quality) => status !== "Processing";
}
