/** Classifications: what a mail is about. */
export { operations } from "./operations.ts";
export { classificationOf, correctClassification, type ClassificationRecord } from "./record.ts";
