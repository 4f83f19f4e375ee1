import type { DecisionOrRefusal } from "../../../platform/decision.ts";
import { commandsOn } from "../../../platform/command.ts";
import type { CallResult } from "../../sources/call-connector.ts";
import { ofFreight } from "../apply-due-changes.ts";
import { publicView, type Events, type Freight } from "../model.ts";
import type { FreightDetails } from "../input.ts";
import type { PublicFreight } from "../views.ts";
import {
  sourceChanged,
  publishing,
  recordCall,
  publicationJobs,
  pendingPublications,
  type Publication,
} from "./model.ts";

/** What sources must still be told, and what of. */
export interface PendingCalls {
  left: Pick<Publication, "source" | "wanted" | "version">[];
  freight: PublicFreight;
  /** What its alternative locations are found by, where it has any. */
  alternatives?: Pick<FreightDetails, "locations"> & {
    range: NonNullable<FreightDetails["alternativeLocationsRange"]>;
  };
}

export const publicationCommands = commandsOn<Freight, Events>(
  "FREIGHTS",
  "publications",
)({
  /** A freight whose time is over is told only once that is written down: until then its last word is its removal. */
  untold: ofFreight(({ state: now, jobs }, _ask: object, context): DecisionOrRefusal<Freight, Events, PendingCalls> => {
    const left = jobs.includes(publishing) ? [] : pendingPublications(now.publications);
    const { useAlternativeLocations, alternativeLocationsRange: range, locations } = now.said;
    return {
      ...(left.length === 0 && jobs.length === 0 && { completedJobs: [publishing] }),
      reply: {
        left: left.map(({ source, wanted, version }) => ({ source, wanted, version })),
        freight: publicView(now, context),
        ...(useAlternativeLocations && range && { alternatives: { locations, range } }),
      },
    };
  }),

  /** What came of telling a source. When it must know more by now the work goes on at once. */
  told: ofFreight(({ state: now, events, jobs }, { source, version, told }: CompletedCall, _moment) => {
    const publications = recordCall(now.publications, source, version, told);
    if (!publications) return { jobs: publicationJobs(now.publications), reply: {} };
    const isDone = pendingPublications(publications).length === 0;
    return { state: { ...now, publications }, events, jobs, ...(isDone && { completedJobs: [publishing] }), reply: {} };
  }),

  /** A source of its company came or went. */
  followed: ofFreight(
    ({ state: now, events, jobs }, { source, isThere }: { source: number; isThere: boolean }, context) => {
      const publications = sourceChanged(now.publications, source, isThere, context.version);
      if (!publications) return { reply: {} };
      return { state: { ...now, publications }, events, jobs: [...jobs, ...publicationJobs(publications)], reply: {} };
    },
  ),
});

interface CompletedCall {
  source: number;
  version: number;
  told: CallResult;
}
