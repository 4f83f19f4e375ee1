import type { DecisionOrRefusal } from "../../../platform/decision.ts";
import { commandsOn } from "../../../platform/command.ts";
import type { Told } from "../../sources/call-connector.ts";
import { ofFreight } from "../apply-due-changes.ts";
import { publicView, type Events, type Freight } from "../model.ts";
import type { SaidFreight } from "../input.ts";
import type { PublicFreight } from "../views.ts";
import { followed, publishing, settled, telling, untold, type Publication } from "./model.ts";

/** What sources must still be told, and what of. */
export interface Untold {
  left: Pick<Publication, "source" | "wanted" | "version">[];
  freight: PublicFreight;
  /** What its alternative locations are found by, where it has any. */
  alternatives?: Pick<SaidFreight, "locations"> & { range: NonNullable<SaidFreight["alternativeLocationsRange"]> };
}

export const publicationCommands = commandsOn<Freight, Events>(
  "FREIGHTS",
  "publications",
)({
  /** A freight whose time is over is told only once that is written down: until then its last word is its removal. */
  untold: ofFreight(({ state: now, jobs }, _ask: object, context): DecisionOrRefusal<Freight, Events, Untold> => {
    const left = jobs.includes(publishing) ? [] : untold(now.publications);
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
  told: ofFreight(({ state: now, events, jobs }, { source, version, told }: Telling, _moment) => {
    const publications = settled(now.publications, source, version, told);
    if (!publications) return { jobs: telling(now.publications), reply: {} };
    const isDone = untold(publications).length === 0;
    return { state: { ...now, publications }, events, jobs, ...(isDone && { completedJobs: [publishing] }), reply: {} };
  }),

  /** A source of its company came or went. */
  followed: ofFreight(
    ({ state: now, events, jobs }, { source, isThere }: { source: number; isThere: boolean }, context) => {
      const publications = followed(now.publications, source, isThere, context.version);
      if (!publications) return { reply: {} };
      return { state: { ...now, publications }, events, jobs: [...jobs, ...telling(publications)], reply: {} };
    },
  ),
});

interface Telling {
  source: number;
  version: number;
  told: Told;
}
