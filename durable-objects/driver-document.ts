import { commands } from "../src/areas/drivers-documents/commands.ts";
import { nextDue, slotClaim, slotOf, type DriverDocument } from "../src/areas/drivers-documents/model.ts";
import { driverDocumentRow } from "../src/areas/drivers-documents/search.ts";
import { operations } from "../src/areas/drivers-documents/operations.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each document of a driver. */
export class DriverDocumentObject extends Aggregate<DriverDocument> {
  readonly noun = "DriverDocument";
  readonly decisions = decisionsOf({ driversDocuments: { operations, commands } });
  protected override readonly clock = { command: commands.tick.name, due: nextDue };
  urlOf = (id: string) => `/api/v1/drivers-documents/${id}`;
  archiveRow = driverDocumentRow;
  protected override claimsOf(state: DriverDocument): string[] {
    const slot = slotOf(state);
    return slot ? [slotClaim(slot)] : [];
  }
  protected override isComplete = ({ status }: DriverDocument) => status !== "Processing";
}
