import { commands } from "../src/areas/document-collections/commands.ts";
import type { Collection } from "../src/areas/document-collections/model.ts";
import { collectionRow } from "../src/areas/document-collections/search.ts";
import { operations } from "../src/areas/document-collections/operations.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each uploaded collection of scans. */
export class DocumentCollectionObject extends Aggregate<Collection> {
  readonly noun = "DocumentCollection";
  readonly decisions = decisionsOf({ documentCollections: { operations, commands } });
  urlOf = (id: string) => `/api/v1/document-collections/${id}`;
  archiveRow = collectionRow;
  protected override isComplete = ({ status }: Collection) => status !== "Processing";
}
