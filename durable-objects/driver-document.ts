import type { ArchiveRow } from "../src/platform/archive/archive.ts";
import * as driversDocuments from "../src/areas/drivers-documents/index.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each document of a driver. */
export class DriverDocumentObject extends Aggregate<driversDocuments.DriverDocument> {
  readonly noun = "DriverDocument";
  readonly decisions = decisionsOf({ driversDocuments });
  protected override readonly clock = { command: driversDocuments.commands.tick.name, due: driversDocuments.nextDue };
  urlOf = (id: string) => `/api/v1/drivers-documents/${id}`;
  archiveRow = (state: driversDocuments.DriverDocument, company: string, id: string): ArchiveRow =>
    driversDocuments.driverDocumentRow(state, company, id);
  protected override claimsOf(state: driversDocuments.DriverDocument): string[] {
    const place = driversDocuments.placeOf(state);
    return place ? [driversDocuments.placeClaim(place)] : [];
  }
  protected override isSettled = ({ status }: driversDocuments.DriverDocument) => status !== "Processing";
}
