import type { Box } from "../../document/document.ts";
import type { Point } from "./geometry.ts";

/** A colour as `#rrggbb`; undefined where nobody can say: pictures, gradients, patterns, see-through areas. */
export type Colour = string | undefined;

const maxAreas = 20_000;

/** What lies beneath the text of a page: filled areas and pictures in the order they were painted, on white paper. */
export class Background {
  private readonly areas: { box: Box; colour: Colour }[] = [];

  add(box: Box, colour: Colour): void {
    if (this.areas.length < maxAreas) this.areas.push({ box, colour });
  }

  at(point: Point): Colour {
    for (let index = this.areas.length - 1; index >= 0; index--) {
      const area = this.areas[index];
      if (area && contains(area.box, point)) return area.colour;
    }
    return "#ffffff";
  }
}

function contains(box: Box, point: Point): boolean {
  return point.x >= box.x0 && point.x <= box.x1 && point.y >= box.y0 && point.y <= box.y1;
}

/** Two colours a reader could not tell apart. Unknown colours are never alike. */
export function isSameColour(one: Colour, other: Colour): boolean {
  if (!one || !other) return false;
  const a = Number.parseInt(one.slice(1, 7), 16);
  const b = Number.parseInt(other.slice(1, 7), 16);
  return [16, 8, 0].every((shift) => Math.abs(((a >> shift) & 255) - ((b >> shift) & 255)) <= 10);
}
