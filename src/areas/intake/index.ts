/** Files that are read: taken in, read in the background, their evidence kept. What orders, documents and others share. */
export { checked } from "./checked.ts";
export { applied, type Correctable } from "./correcting.ts";
export { correctionOf, stillRead, type Correcting } from "./correction-commands.ts";
export { extractionOf, extractionShape, notProcessedYet, SequenceQuery, type Evidences } from "./extraction.ts";
export { extractionKey, statusOf, told, type Change, type Envelope, type Intake, type Received } from "./intake.ts";
export { lecternOf, readingAt } from "./reading.ts";
export { fileClaim, takeIn } from "./receiving.ts";
export { isStillWritten, isThere, removalOf, removingAt } from "./removal.ts";
export { lifeOf } from "./commands.ts";
