/**
 * Finds nearby places by exact terms. Grids of different sizes divide the globe into cells, and a record has one cell
 * of each grid. A radius search looks up the few cells of one grid that the circle touches, and measures the distances.
 */

/** A point in degrees; north and east are positive. */
export interface Point {
  latitude: number;
  longitude: number;
}

/** Cell heights in degrees: 14, 56, 222 and 890 km. A cell is about as wide as it is high. */
const grids = [0.125, 0.5, 2, 8] as const;
const earthKm = 6371.0088;
const degreeKm = (Math.PI / 180) * earthKm;
/** For the rounding of cell edges and distances. */
const allowanceKm = 0.001;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Computes the great-circle distance in kilometres. */
export function distanceKm(a: Point, b: Point): number {
  const north = radians(b.latitude - a.latitude) / 2;
  const east = radians(b.longitude - a.longitude) / 2;
  const haversine =
    Math.sin(north) ** 2 + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(east) ** 2;
  return 2 * earthKm * Math.asin(Math.min(1, Math.sqrt(haversine)));
}

/** Computes the haversine of a distance. It increases with the distance and is cheaper to compare. */
export const haversineOf = (km: number): number => Math.sin(Math.min(Math.PI / 2, km / (2 * earthKm))) ** 2;

/** Returns the cells of a point, one per grid, such as `0:1146:2120`. */
export const cells = ({ latitude, longitude }: Point): string[] =>
  grids.map((_, grid) => {
    const row = rowOf(grid, latitude);
    return cellName(grid, row, columnOf(grid, row, longitude));
  });

/**
 * A search uses the finest grid whose cells are at least 1/6 of the radius high. With a larger number, it would look up
 * more cells but measure fewer distances.
 */
const cellsOfRadius = 6;

/** Returns the cells of one grid that cover a circle. */
export function cellsWithin(point: Point, km: number): string[] {
  const radius = km + allowanceKm;
  const fitting = grids.findIndex((degrees) => degrees * degreeKm * cellsOfRadius >= radius);
  const grid = fitting < 0 ? grids.length - 1 : fitting;
  const { south, north } = boxAround(point, km);
  return span(rowOf(grid, south), rowOf(grid, north)).flatMap((row) =>
    columnsOf(grid, row, point.longitude, degreesEastInRow(grid, row, point, radius)).map((column) =>
      cellName(grid, row, column),
    ),
  );
}

/**
 * Computes the bounding box of a circle, without `west` and `east` if it crosses the date line or spans all longitudes.
 */
export function boxAround(point: Point, km: number): { south: number; north: number; west?: number; east?: number } {
  const radius = km + allowanceKm;
  const north = radius / degreeKm;
  const east = degreesEast(point, radius);
  const sides = { west: point.longitude - east, east: point.longitude + east };
  return {
    south: point.latitude - north,
    north: point.latitude + north,
    ...(sides.west > -180 && sides.east < 180 && sides),
  };
}

/** 180 degrees if the circle contains a pole. */
function degreesEast({ latitude }: Point, km: number): number {
  const angle = km / earthKm;
  if (holdsPole(latitude, angle)) return 180;
  return (Math.asin(Math.sin(angle) / Math.cos(radians(latitude))) * 180) / Math.PI;
}

const holdsPole = (latitude: number, angle: number) =>
  angle >= Math.PI / 2 || Math.abs(radians(latitude)) + angle >= Math.PI / 2;

/** Like `degreesEast`, but only within a row of cells: at the latitude in the row at which the circle is widest. */
function degreesEastInRow(grid: number, row: number, { latitude }: Point, km: number): number {
  const angle = km / earthKm;
  if (holdsPole(latitude, angle)) return 180;
  const middle = radians(latitude);
  const widest = Math.asin(Math.sin(middle) / Math.cos(angle));
  const south = Math.max(radians(row * grids[grid]! - 90), middle - angle);
  const north = Math.min(radians((row + 1) * grids[grid]! - 90), middle + angle);
  const there = Math.max(south, Math.min(north, widest));
  const cosine = (Math.cos(angle) - Math.sin(middle) * Math.sin(there)) / (Math.cos(middle) * Math.cos(there));
  return (Math.acos(Math.max(-1, Math.min(1, cosine))) * 180) / Math.PI;
}

const cellName = (grid: number, row: number, column: number) => `${grid}:${row}:${column}`;

function rowOf(grid: number, latitude: number): number {
  const rows = Math.round(180 / grids[grid]!);
  return Math.max(0, Math.min(rows - 1, Math.floor((latitude + 90) / grids[grid]!)));
}

/** Rows near the poles have fewer cells, because their circumference is shorter. */
function columnCount(grid: number, row: number): number {
  const height = grids[grid]!;
  const middle = Math.abs(row * height + height / 2 - 90);
  return Math.max(1, Math.floor((360 * Math.cos(radians(middle))) / height));
}

function columnOf(grid: number, row: number, longitude: number): number {
  const count = columnCount(grid, row);
  return Math.floor((degreesFromDateLine(longitude) / 360) * count) % count;
}

/** Also across the date line. */
function columnsOf(grid: number, row: number, longitude: number, east: number): number[] {
  const count = columnCount(grid, row);
  const first = Math.floor(((degreesFromDateLine(longitude) - east) / 360) * count);
  const last = Math.floor(((degreesFromDateLine(longitude) + east) / 360) * count);
  return span(first, Math.min(last, first + count - 1)).map((column) => ((column % count) + count) % count);
}

const degreesFromDateLine = (longitude: number) => (((longitude + 180) % 360) + 360) % 360;

const span = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
