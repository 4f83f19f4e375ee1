import type { DecisionOrRefusal } from "../../../platform/decision.ts";
import { commandsOn } from "../../../platform/command.ts";
import type { CallResult } from "../../sources/call-connector.ts";
import { ofFreight } from "../lifecycle.ts";
import { publicView, type Events, type Freight } from "../model.ts";
import type { FreightDetails } from "../details.ts";
import type { PublicFreight } from "../views.ts";
import {
  sourceChanged,
  publishJob,
  recordCall,
  publicationJobs,
  pendingPublications,
  type Publication,
} from "./model.ts";

/** The pending calls to sources, and the data for them. */
export interface PendingCalls {
  left: Pick<Publication, "source" | "wanted" | "version">[];
  freight: PublicFreight;
  /** The stops and the search radius for alternative locations; absent if the freight has none. */
  alternatives?: Pick<FreightDetails, "locations"> & {
    range: NonNullable<FreightDetails["alternativeLocationsRange"]>;
  };
}

export const publicationCommands = commandsOn<Freight, Events>(
  "FREIGHTS",
  "publications",
)({
  /** Returns the pending calls; none while the freight has due changes that require calls but are not committed. */
  untold: ofFreight(({ state, jobs }, _ask: object, context): DecisionOrRefusal<Freight, Events, PendingCalls> => {
    const left = jobs.includes(publishJob) ? [] : pendingPublications(state.publications);
    const { useAlternativeLocations, alternativeLocationsRange: range, locations } = state.said;
    return {
      ...(left.length === 0 && jobs.length === 0 && { completedJobs: [publishJob] }),
      reply: {
        left: left.map(({ source, wanted, version }) => ({ source, wanted, version })),
        freight: publicView(state, context),
        ...(useAlternativeLocations && range && { alternatives: { locations, range } }),
      },
    };
  }),

  /** Records the result of a call. If the freight has changed since, the job is requested again. */
  told: ofFreight(({ state, events, jobs }, { source, version, told }: CompletedCall, _moment) => {
    const publications = recordCall(state.publications, source, version, told);
    if (!publications) return { jobs: publicationJobs(state.publications), reply: {} };
    const isDone = pendingPublications(publications).length === 0;
    return {
      state: { ...state, publications },
      events,
      jobs,
      ...(isDone && { completedJobs: [publishJob] }),
      reply: {},
    };
  }),

  /** Updates the publication at a source that the company has added or removed. */
  followed: ofFreight(({ state, events, jobs }, { source, isThere }: { source: number; isThere: boolean }, context) => {
    const publications = sourceChanged(state.publications, source, isThere, context.version);
    if (!publications) return { reply: {} };
    return { state: { ...state, publications }, events, jobs: [...jobs, ...publicationJobs(publications)], reply: {} };
  }),
});

interface CompletedCall {
  source: number;
  version: number;
  told: CallResult;
}
