import * as z from "zod";
import type { ArchiveRow } from "../../platform/archive/archive.ts";
import type { SearchField } from "../../platform/archive/searchable.ts";
import { cells, type Point } from "./cells.ts";

const farthestKm = 1000;

/** A point and a radius in a query: latitude, longitude and kilometres, such as `51.34,12.37,150`. */
export const QueryNear = z
  .string()
  .regex(/^ *-?\d{1,3}(\.\d{1,9})? *, *-?\d{1,3}(\.\d{1,9})? *, *\d{1,4}(\.\d{1,9})? *$/, {
    message: "Not latitude, longitude and kilometres with at most nine decimals, such as 51.34,12.37,150",
    abort: true,
  })
  .transform((text) => {
    const [latitude, longitude, km] = text.split(",").map(Number) as [number, number, number];
    return { point: { latitude, longitude }, km };
  })
  .refine(
    ({ point }) => Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180,
    "The latitude must be from -90 to 90, and the longitude from -180 to 180",
  )
  .refine(({ km }) => km <= farthestKm, `At most ${farthestKm} kilometres`)
  .describe(`Latitude, longitude and kilometres as the crow flies, ${farthestKm} at most.`);

/**
 * Declares a search field for records around a point. The row has a term `${name}Cell:…` for each cell of its point
 * (see `cells.ts`), and the coordinates in the columns `${name}Latitude` and `${name}Longitude`.
 */
export const withinCircle = <Thing>(
  name: string,
  pointOf: (thing: Thing) => Point | undefined,
  shape = QueryNear.optional(),
): SearchField<Thing, typeof shape> => ({
  shape,
  terms(thing) {
    const point = pointOf(thing);
    return point ? cells(point).map((cell) => `${name}Cell:${cell}`) : [];
  },
  columns(thing): ArchiveRow["columns"] {
    const point = pointOf(thing);
    return point ? { [`${name}Latitude`]: point.latitude, [`${name}Longitude`]: point.longitude } : {};
  },
  conditions: ({ point, km }) => ({
    near: [{ cell: `${name}Cell`, latitude: `${name}Latitude`, longitude: `${name}Longitude`, point, km }],
  }),
});
