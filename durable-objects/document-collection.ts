import { commands } from "../src/areas/document-collections/commands.ts";
import { collectionRow, type Collection } from "../src/areas/document-collections/collection.ts";
import { operations } from "../src/areas/document-collections/operations.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each pile of scans. */
export class DocumentCollectionObject extends Aggregate<Collection> {
  readonly noun = "DocumentCollection";
  readonly decisions = decisionsOf({ documentCollections: { operations, commands } });
  urlOf = (id: string) => `/api/v1/document-collections/${id}`;
  archiveRow = collectionRow;
  protected override isSettled = ({ status }: Collection) => status !== "Processing";
}
