import type { Entity } from "../../entities/entity.ts";
import type { NumberedLine } from "./numbered-lines.ts";
import type { TextRange } from "../../layout/text-span.ts";

/** Where a value stands. */
export interface ValueMatch extends TextRange {
  /** A recogniser sees there what the field wants; else the signs stand there, whatever they mean. */
  recognised: boolean;
}

/** What the recognisers see in the segments of the lines. */
export interface SearchScope {
  /** Whether the model says it stands there; else a number must be seen as what the field is of. */
  cited: boolean;
  lines: readonly NumberedLine[];
  entities: (segment: TextRange["segment"]) => readonly Entity[];
  languages: readonly string[];
}

/** Of what the recognisers see, the first that says it. */
export function findRecognised(scope: SearchScope, says: (entity: Entity) => boolean): ValueMatch | undefined {
  for (const { parts } of scope.lines)
    for (const { segment } of parts) {
      const entity = scope.entities(segment).find(says);
      if (entity) return { segment, start: entity.start, end: entity.end, recognised: true };
    }
  return undefined;
}
