import type { ArchiveRow } from "../src/platform/archive/archive.ts";
import * as documents from "../src/areas/documents/index.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each document: invoice, receipt, CMR note, fine or policy. */
export class DocumentObject extends Aggregate<documents.Document> {
  readonly noun = "Document";
  readonly decisions = decisionsOf({ documents });
  urlOf = (id: string, now: documents.Document) => {
    const kind = documents.kindOf(now);
    return `/api/v1/documents/${kind ? `${kind}/` : ""}${id}`;
  };
  archiveRow = (state: documents.Document, company: string, id: string): ArchiveRow =>
    documents.documentRow(state, company, id);
  protected override isSettled = ({ status }: documents.Document) => status !== "Processing";
}
