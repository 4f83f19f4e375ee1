/** How good scans and photographs are: whether they can be read, and what is missing. */
export { adviceOn } from "./advice.ts";
export { assessed, kindOfType, remove, typeOf } from "./reading.ts";
export { operations } from "./operations.ts";
export { events, qualityRow, type Quality } from "./record.ts";
export { QualityReason, QualityVerdict } from "./shapes.ts";
export { commands } from "./commands.ts";
