import { boardCommands } from "../src/areas/freights/board/anonymous-visitor.ts";
import { freightCommands } from "../src/areas/freights/commands.ts";
import { freightRow } from "../src/areas/freights/search.ts";
import type { Freight } from "../src/areas/freights/model.ts";
import { offerNotificationCommands } from "../src/areas/freights/guests/offer-notification-mails.ts";
import { nextDue } from "../src/areas/freights/lifecycle.ts";
import { offerCommands } from "../src/areas/freights/offers/commands.ts";
import { offerRows } from "../src/areas/freights/offers/search.ts";
import { offerOperations } from "../src/areas/freights/offers/operations.ts";
import { operations } from "../src/areas/freights/operations.ts";
import { publicationCommands } from "../src/areas/freights/publications/commands.ts";
import { publish } from "../src/areas/freights/publications/jobs.ts";
import { shareCommands } from "../src/areas/freights/shares/commands.ts";
import { logFault } from "../src/platform/log.ts";
import { numberKey, numberClaim } from "../src/platform/unique-numbers.ts";
import type { FreightApi } from "../src/platform/aggregates.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each freight, active or archived. */
export class FreightObject extends Aggregate<Freight> implements FreightApi {
  readonly noun = "Freight";
  readonly decisions = decisionsOf({
    freights: { operations, commands: freightCommands },
    board: { commands: boardCommands },
    offers: { operations: offerOperations, commands: offerCommands },
    publications: { commands: publicationCommands },
    shares: { commands: shareCommands },
    tidings: { commands: offerNotificationCommands },
  });
  protected override readonly clock = { command: freightCommands.tick.name, due: nextDue };
  urlOf = (id: string, { archivedAt }: Freight) => `/api/v1/freights/${archivedAt ? "archive/" : ""}${id}`;
  archiveRow = freightRow;
  override archiveParts = offerRows;

  protected override claimsOf = ({ said: { externalNumber } }: Freight) =>
    externalNumber ? [numberClaim("freights", numberKey(externalNumber))] : [];

  protected override withVersion = (state: Freight, version: number): Freight => ({
    ...state,
    offers: state.offers.map((offer) => ({ ...offer, version })),
  });

  /** Starts to publish the freight to its sources. Does not wait for their answers, because they may be slow. */
  async tellSources(): Promise<void> {
    const kept = this.load();
    if (!kept) return;
    const { company, id } = kept;
    void publish({ company, id }, this.env).catch((error: unknown) =>
      logFault("freights.publish", error, { company, id }),
    );
  }
}
