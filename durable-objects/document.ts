import { commands } from "../src/areas/documents/commands.ts";
import { kindOf, type Document } from "../src/areas/documents/model.ts";
import { documentRow } from "../src/areas/documents/search.ts";
import { operations } from "../src/areas/documents/operations.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each document: invoice, receipt, CMR note, fine or policy. */
export class DocumentObject extends Aggregate<Document> {
  readonly noun = "Document";
  readonly decisions = decisionsOf({ documents: { operations, commands } });
  urlOf = (id: string, now: Document) => {
    const kind = kindOf(now);
    return `/api/v1/documents/${kind ? `${kind}/` : ""}${id}`;
  };
  archiveRow = documentRow;
  protected override isComplete = ({ status }: Document) => status !== "Processing";
}
