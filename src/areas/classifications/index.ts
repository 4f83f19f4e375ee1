/** Classifications: what a mail is about. */
export { operations } from "./operations.ts";
export { classificationOf, keepClassification, type ClassificationRecord } from "./record.ts";
