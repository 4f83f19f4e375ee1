import * as z from "zod";
import type { Near } from "../../platform/archive/filters.ts";

/** Farthest that is searched, in kilometres. */
const farthestKm = 1000;

/** Everything within so many kilometres of a place, in a query: `51.34,12.37,150`. */
export const QueryNear = z
  .string()
  .regex(/^ *-?\d{1,3}(\.\d{1,9})? *, *-?\d{1,3}(\.\d{1,9})? *, *\d{1,4}(\.\d{1,9})? *$/, {
    message: "Not latitude,longitude,kilometres (51.34,12.37,150)",
    abort: true,
  })
  .transform((text) => {
    const [latitude, longitude, km] = text.split(",").map(Number) as [number, number, number];
    return { point: { latitude, longitude }, km };
  })
  .refine(({ point }) => Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180, "Not a place on the globe")
  .refine(({ km }) => km <= farthestKm, `At most ${farthestKm} kilometres`)
  .describe(`Latitude, longitude and kilometres as the crow flies, ${farthestKm} at most.`);

/**
 * The circle as the archive searches it: rows stand under `${name}Cell:…` with the cells of their place (kit/places/cells.ts), and
 * have its degrees in the columns `${name}Latitude` and `${name}Longitude`.
 */
export const nearPlace = (name: string, { point, km }: z.output<typeof QueryNear>): Near => ({
  cell: `${name}Cell`,
  latitude: `${name}Latitude`,
  longitude: `${name}Longitude`,
  point,
  km,
});
