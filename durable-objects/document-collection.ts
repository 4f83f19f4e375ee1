import * as documentCollections from "../src/areas/document-collections/index.ts";
import { decisionsOf, Owner } from "./owner/owner.ts";

/** One object for each pile of scans. */
export class DocumentCollectionObject extends Owner<documentCollections.Collection> {
  readonly noun = "DocumentCollection";
  readonly binding = "DOCUMENT_COLLECTIONS";
  readonly decisions = decisionsOf({ documentCollections });
  urlOf = (id: string) => `/api/v1/document-collections/${id}`;
  archiveRow = (): undefined => undefined;
  protected override isSettled = ({ status }: documentCollections.Collection) => status !== "Processing";
}
