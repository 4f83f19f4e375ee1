import { stepsOn } from "../../kit/operation.ts";
import { lifeOf } from "../intake/index.ts";
import { assessing, type Quality } from "./record.ts";

export const steps = stepsOn<Quality, Record<string, never>>(
  "QUALITY",
  "quality",
)(lifeOf<Quality, "documentId", never>({ work: assessing, idName: "documentId" }));
