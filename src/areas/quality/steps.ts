import { stepsOn } from "../../kit/operation.ts";
import { lifeOf, longLease } from "../intake/index.ts";
import { assessing, type Quality } from "./record.ts";

export const steps = stepsOn<Quality, Record<string, never>>(
  "QUALITY",
  "quality",
)(lifeOf<Quality, "documentId", never>({ work: assessing, idName: "documentId", lease: longLease }));
