/** Intake of files: upload, extraction in the background, evidence, corrections and deletion, for all areas with files. */
export { correctionCommands, extractionCommands, stillProcessing, type CorrectionInput } from "./commands.ts";
export { applyCorrections, type Correctable } from "./corrections.ts";
export { evidenceShape, notProcessedYet, readEvidence, SequenceQuery, type Evidences } from "./evidence.ts";
export { extractionDependencies, extractionJob } from "./jobs.ts";
export {
  envelopesOf,
  evidenceKey,
  fileClaim,
  isPresent,
  statusOf,
  statusOfChecks,
  type Envelope,
  type FieldChange,
  type FileArea,
  type Intake,
  type ReceivedFile,
} from "./model.ts";
export { fileOperations, receiveFile } from "./operations.ts";
export { mayStillWrite, removalCommands, removalJob } from "./removal.ts";
