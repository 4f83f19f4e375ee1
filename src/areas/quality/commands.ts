import { commandsOn } from "../../platform/command.ts";
import { lifeOf, removalOf } from "../intake/index.ts";
import { assessing, claimedAs, folder, removing, type events, type Quality } from "./record.ts";

const life = lifeOf<Quality, "documentId", never>({ work: assessing, idName: "documentId" });

export const commands = commandsOn<Quality, typeof events>(
  "QUALITY",
  "quality",
)({
  ...life,
  ...removalOf(life, {
    job: removing,
    reading: assessing,
    folder,
    claimedAs,
    deleted: (documentId, previousStatus) => ({
      type: "QualityDeleted" as const,
      status: "Deleted",
      previousStatus,
      data: { documentId },
    }),
  }),
});
