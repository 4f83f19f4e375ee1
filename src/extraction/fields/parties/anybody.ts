import { entitiesOfType, type Annotations } from "../labels/annotations.ts";

const least = 0.3;

/** Whether a firm is named, or how to reach or to pay one. Where none is, no place is anybody's and no word is a name. */
export const namesAnyParty = ({ annotations }: { annotations: Annotations }): boolean =>
  (["Company", "Vat", "Iban", "Email", "Phone"] as const).some((type) =>
    entitiesOfType(annotations, type).some(({ entity }) => entity.score >= least),
  );
