import type { Entity } from "../../entities/entity.ts";
import type { NumberedLine } from "./numbered-lines.ts";
import type { TextRange } from "../../layout/text-span.ts";

/** Position of a value. */
export interface ValueMatch extends TextRange {
  /** Whether an entity of the expected type was recognised there; otherwise only the characters match. */
  recognised: boolean;
}

/** The lines to search, with their entities. */
export interface SearchScope {
  /** Whether the model cited these lines; otherwise a number must be recognised with the field's measure. */
  cited: boolean;
  lines: readonly NumberedLine[];
  entities: (segment: TextRange["segment"]) => readonly Entity[];
  languages: readonly string[];
}

/** Finds the first entity that satisfies the test. */
export function findRecognised(scope: SearchScope, says: (entity: Entity) => boolean): ValueMatch | undefined {
  for (const { parts } of scope.lines)
    for (const { segment } of parts) {
      const entity = scope.entities(segment).find(says);
      if (entity) return { segment, start: entity.start, end: entity.end, recognised: true };
    }
  return undefined;
}
