import { editDistance } from "../extraction/lexicon/near-words.ts";

/** Error text for an unknown name: lists the known names and suggests the closest. */
export function unknownNameMessage(name: string, known: readonly string[]): string {
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  const meant = nearestOf(name, known);
  return `${shown} is not known here${meant ? `: did you mean ${meant}?` : "."} Known: ${known.join(", ") || "none"}.`;
}

/** The closest known name, if it differs in case only, or in at most one letter of four. */
function nearestOf(name: string, known: readonly string[]): string | undefined {
  const limit = Math.min(3, Math.floor(name.length / 4));
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase(), limit) }))
    .sort((a, b) => a.distance - b.distance);
  return ranked[0] && ranked[0].distance <= limit ? ranked[0].candidate : undefined;
}
