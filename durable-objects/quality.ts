import * as quality from "../src/areas/quality/index.ts";
import { decisionsOf, Owner } from "./owner/owner.ts";

/** One object for each file that is looked at for how well it can be read. */
export class QualityObject extends Owner<quality.Quality> {
  readonly noun = "Quality";
  readonly binding = "QUALITY";
  readonly decisions = decisionsOf({ quality });
  urlOf = (id: string) => `/api/v1/documents/quality/${id}`;
  archiveRow = (): undefined => undefined;
  protected override isSettled = ({ status }: quality.Quality) => status !== "Processing";
}
