import { commandsOn } from "../../platform/command.ts";
import { extractionCommands } from "../intake/commands.ts";
import { removalCommands } from "../intake/removal.ts";
import { files, variantOf, type events, type Quality } from "./model.ts";

const extraction = extractionCommands<Quality, "documentId", never>(files);

export const commands = commandsOn<Quality, typeof events>(
  "QUALITY",
  "quality",
)({
  ...extraction,
  ...removalCommands(extraction, files, { event: "QualityDeleted", variantOf }),
});
