import * as freights from "../src/areas/freights/index.ts";
import { logFault } from "../src/platform/log.ts";
import { comparedNumber, numberClaim } from "../src/platform/unique-numbers.ts";
import type { FreightApi } from "../src/platform/aggregates.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each freight, live or in the archive. */
export class FreightObject extends Aggregate<freights.Freight> implements FreightApi {
  readonly noun = "Freight";
  readonly decisions = decisionsOf({
    freights,
    board: { commands: freights.boardCommands },
    offers: { operations: freights.offerOperations, commands: freights.offerCommands },
    publications: { commands: freights.publicationCommands },
    shares: { commands: freights.shareCommands },
    tidings: { commands: freights.offerNotificationCommands },
  });
  protected override readonly clock = { command: freights.commands.tick.name, due: freights.nextDue };
  urlOf = (id: string, { archivedAt }: freights.Freight) => `/api/v1/freights/${archivedAt ? "archive/" : ""}${id}`;
  archiveRow = freights.freightRow;
  override archiveParts = freights.offerRows;

  protected override claimsOf = ({ said: { externalNumber } }: freights.Freight) =>
    externalNumber ? [numberClaim("freights", comparedNumber(externalNumber))] : [];

  protected override anew = (state: freights.Freight, version: number): freights.Freight => ({
    ...state,
    offers: state.offers.map((offer) => ({ ...offer, version })),
  });

  /** Calls take as long as sources take: they are made here, where nothing else waits behind them. */
  async tellSources(): Promise<void> {
    const kept = this.load();
    if (!kept) return;
    const { company, id } = kept;
    void freights
      .publish({ company, id }, this.env)
      .catch((error: unknown) => logFault("freights.publish", error, { company, id }));
  }
}
