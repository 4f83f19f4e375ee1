import * as documentCollections from "../src/areas/document-collections/index.ts";
import type { ArchiveRow } from "../src/platform/archive/archive.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each pile of scans. */
export class DocumentCollectionObject extends Aggregate<documentCollections.Collection> {
  readonly noun = "DocumentCollection";
  readonly decisions = decisionsOf({ documentCollections });
  urlOf = (id: string) => `/api/v1/document-collections/${id}`;
  archiveRow = (state: documentCollections.Collection, company: string, id: string): ArchiveRow =>
    documentCollections.collectionRow(state, company, id);
  protected override isSettled = ({ status }: documentCollections.Collection) => status !== "Processing";
}
