import type { DocumentLocale } from "../../entities/entity.ts";
import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import { valueOf, type GridNumber } from "../../fields/grid/figures.ts";
import { gridsIn, type Grid, type GridRow } from "../../fields/grid/grid.ts";
import type { ColumnRole } from "../../fields/grid/header.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import type { InvoiceLine } from "./view.ts";
import { lineOfSum, looseLinesIn } from "./loose-lines.ts";
import { sharesInRows, type ShareDraft } from "./vat-shares.ts";
import type { Totals } from "./totals.ts";

type LineDraft = NonNullable<FieldValues<InvoiceLine>>;
type FigureRole = Exclude<ColumnRole, "Description" | "Unit" | "Other">;

/** What each column of one table holds. */
type Roles = ReadonlyMap<number, ColumnRole>;

const figureRoles: ReadonlySet<ColumnRole> = new Set(["Quantity", "UnitPrice", "Net", "Rate", "Vat", "Gross"]);
const maxWays = 6000;
/** Rows whose quantity times price is their sum, and a little more. */
const wellAgreed = 2;
const maxRows = 5;

/** The services that are invoiced, in the order they are printed. */
export function linesIn(document: DocumentContext, context: DocumentLocale, totals: Totals): LineDraft[] {
  const listed = listedLines(document, context, totals);
  if (listed.length === 0) return looseLinesIn(document, context, totals);
  const sum = listed.reduce((total, { netAmount }) => total + (netAmount?.value ?? 0), 0);
  const left = totals.netAmount && Math.round((totals.netAmount.value - sum) * 100) / 100;
  const more = left ? lineOfSum(document, context, left) : undefined;
  return more ? [...listed, more] : listed;
}

/** Those under headings. */
export function listedLines(document: DocumentContext, context: DocumentLocale, totals: Totals): LineDraft[] {
  return gridsIn(document, context)
    .filter(isOfServices)
    .flatMap((grid) => {
      const roles = rolesOf(grid, totals);
      return grid.rows.flatMap((row) => lineOf(grid, row, roles) ?? []);
    });
}

/** The sums by tax rate: a table of its own, else the one rate whose tax the totals are. */
export function vatSharesIn(document: DocumentContext, context: DocumentLocale, totals: Totals): ShareDraft[] {
  const shares = gridsIn(document, context)
    .filter((grid) => !isOfServices(grid) && has(grid, "Rate"))
    .flatMap((grid) => {
      const roles = rolesOf(grid, totals);
      return grid.rows.flatMap((row) => shareOf(row, roles) ?? []);
    });
  const sum = shares.reduce((total, { netAmount }) => total + (netAmount?.value ?? 0), 0);
  const whole = totals.netAmount?.value;
  if (shares.length > 0 && (whole === undefined || Math.abs(sum - whole) < 0.05)) return shares;
  const inRows = sharesInRows(document, context, totals);
  return inRows.length > 0 ? inRows : single(document, totals);
}

const has = ({ columns }: Grid, role: ColumnRole) => columns.some(({ roles }) => roles[0] === role);

function isOfServices(grid: Grid): boolean {
  return has(grid, "Description") || has(grid, "Quantity") || (has(grid, "UnitPrice") && !has(grid, "Rate"));
}

/**
 * The way of giving each column one of its roles that agrees best with the rows' own sums and with the totals. Where the
 * headings leave rows that do not add up, a column may be something else than it is called.
 */
function rolesOf(grid: Grid, totals: Totals): Roles {
  const called = bestWay(grid, totals, (at) => rolesLeft(grid, at));
  const idle = (at: number) => called.way.get(at) === "Other" && grid.rows.some((row) => figureIn(row, at));
  if (called.points >= wellAgreed && !grid.columns.some((_, at) => idle(at))) return called.way;
  const unsure = called.points < wellAgreed;
  const free = bestWay(grid, totals, (at) => {
    const own = rolesLeft(grid, at);
    const open = idle(at) || (unsure && own.some((role) => role === "Net" || role === "UnitPrice" || role === "Gross"));
    return open ? [...new Set<ColumnRole>([...own, "Quantity", "UnitPrice", "Net", "Vat", "Gross", "Other"])] : own;
  });
  return free.points > called.points + 0.9 ? free.way : called.way;
}

interface Way {
  way: Roles;
  points: number;
}

function bestWay(grid: Grid, totals: Totals, possible: (at: number) => readonly ColumnRole[]): Way {
  let ways: Map<number, ColumnRole>[] = [new Map()];
  for (const at of grid.columns.keys()) {
    ways = ways
      .flatMap((way) =>
        possible(at).flatMap((role) =>
          figureRoles.has(role) && [...way.values()].includes(role) ? [] : [new Map(way).set(at, role)],
        ),
      )
      .slice(0, maxWays);
  }
  if (ways.length === 0) ways = [new Map(grid.columns.map(({ roles }, at) => [at, roles[0] ?? "Other"]))];
  return ways
    .map((way) => ({ way, points: agreement(grid, way, totals) }))
    .reduce((best, way) => (way.points > best.points ? way : best));
}

/** What its heading allows, the last being that it is nothing of interest: two columns are called the same. */
function rolesLeft(grid: Grid, at: number): readonly ColumnRole[] {
  const roles = grid.columns[at]?.roles ?? [];
  if (!grid.rows.some((row) => figureIn(row, at)))
    return roles.slice(0, 1).map((role) => (figureRoles.has(role) ? "Other" : role));
  if (percentIn(grid, at) && (roles.includes("Rate") || allPercent(grid, at))) return ["Rate", "Other"];
  return [...new Set<ColumnRole>([...roles, "Other"])];
}

function percentIn(grid: Grid, at: number): boolean {
  return grid.rows.some((row) => figureIn(row, at)?.percent);
}

/** A column of rates under whatever heading. */
function allPercent(grid: Grid, at: number): boolean {
  const figures = grid.rows.flatMap((row) => figureIn(row, at) ?? []);
  return grid.columns[at]?.roles[0] !== "Description" && figures.length > 0 && figures.every(({ percent }) => percent);
}

function figureIn(row: GridRow, column: number): GridNumber | undefined {
  return row.figures.find((each) => each.column === column)?.figure;
}

function figureOf(row: GridRow, roles: Roles, role: FigureRole): GridNumber | undefined {
  const all = row.figures.filter(({ column }) => roles.get(column) === role);
  return (role === "Rate" ? all.find(({ figure }) => figure.percent) : undefined)?.figure ?? all.at(-1)?.figure;
}

const near = (a: number, b: number) => Math.abs(a - b) <= Math.max(0.02, Math.abs(b) * 0.0015);

function agreement(grid: Grid, roles: Roles, totals: Totals): number {
  let points = 0;
  const values = (row: GridRow, role: FigureRole) => figureOf(row, roles, role)?.values ?? [];
  const any = (lists: (readonly number[])[], test: (...numbers: number[]) => boolean): boolean => {
    const [one = [], other = [], third = []] = lists;
    return one.some((a) => other.some((b) => third.some((c) => test(a, b, c))));
  };
  const rows = grid.rows.slice(0, maxRows);
  for (const row of rows) {
    const [quantity, price, net] = [values(row, "Quantity"), values(row, "UnitPrice"), values(row, "Net")];
    const [rate, vat, gross] = [values(row, "Rate"), values(row, "Vat"), values(row, "Gross")];
    if (any([quantity, price, net], (q, p, n) => near(q * p, n))) points += 2;
    else if (any([quantity, price, gross], (q, p, g) => near(q * p, g))) points += 1;
    if (any([net, rate, vat], (n, r, v) => near((n * r) / 100, v))) points += 2;
    if (any([net, vat, gross], (n, v, g) => near(n + v, g))) points += 2;
    if (any([net, rate, gross], (n, r, g) => near(n * (1 + r / 100), g))) points += 1;
  }
  points /= Math.max(1, rows.length);
  const sum = (role: FigureRole) => grid.rows.reduce((total, row) => total + (values(row, role)[0] ?? 0), 0);
  if (totals.netAmount && near(sum("Net"), totals.netAmount.value)) points += 3;
  const taxed = totals.grossAmount?.value !== totals.netAmount?.value;
  if (totals.grossAmount && taxed && near(sum("Gross"), totals.grossAmount.value)) points += 3;
  const tax = grid.rows.reduce(
    (total, row) => total + ((values(row, "Net")[0] ?? 0) * (values(row, "Rate")[0] ?? 0)) / 100,
    0,
  );
  if (totals.vatAmount && totals.vatAmount.value !== 0 && near(tax, totals.vatAmount.value)) points += 2;
  if (totals.vatAmount && totals.vatAmount.value !== 0 && near(sum("Vat"), totals.vatAmount.value)) points += 2;
  const likeliest = grid.columns.filter(({ roles: of }, at) => of[0] === roles.get(at)).length;
  return points + 0.05 * likeliest;
}

function valueOfFigure(
  figure: GridNumber | undefined,
  confidence: number,
  value = figure && valueOf(figure),
): FieldValue<number> | undefined {
  return figure && value !== undefined ? new FieldValue(value, confidence, figure) : undefined;
}

/** A row with a sum of its own; the reading of each figure that makes quantity times price the sum is taken. */
function lineOf(grid: Grid, row: GridRow, roles: Roles): LineDraft | undefined {
  const [quantity, price, net] = (["Quantity", "UnitPrice", "Net"] as const).map((role) => figureOf(row, roles, role));
  const [rate, vat, gross] = (["Rate", "Vat", "Gross"] as const).map((role) => figureOf(row, roles, role));
  const paid = net ?? gross;
  if (!paid && !price) return undefined;
  const [q, p, n] = multiplied(quantity, price, paid);
  const right = q !== undefined && p !== undefined && n !== undefined && near(q * p, n);
  const sure = right ? 0.93 : 0.75;
  const description = wordsOf(grid, row, roles);
  const unit = unitOf(row, roles, quantity);
  const money = (figure: GridNumber | undefined, value?: number) =>
    valueOfFigure(figure, sure, value === undefined ? undefined : Math.round(value * 100) / 100);
  const line: LineDraft = {
    ...(description && { description }),
    ...(quantity && { quantity: valueOfFigure(quantity, sure, q) }),
    ...(unit && { unit }),
    ...(price && { unitPrice: valueOfFigure(price, sure, p) }),
    ...(net && { netAmount: money(net, n) }),
    ...(rate && valueOf(rate) <= 30 && { vatRate: valueOfFigure(rate, sure) }),
    ...(vat && { vatAmount: money(vat) ?? undefined }),
    ...(gross && { grossAmount: money(gross, net ? undefined : n) ?? undefined }),
  };
  return line;
}

function multiplied(
  quantity: GridNumber | undefined,
  price: GridNumber | undefined,
  sum: GridNumber | undefined,
): (number | undefined)[] {
  for (const q of quantity?.values ?? [])
    for (const p of price?.values ?? []) for (const n of sum?.values ?? []) if (near(q * p, n)) return [q, p, n];
  return [quantity, price, sum].map((figure) => figure && valueOf(figure));
}

const position = /^[^\p{L}\p{N}]{0,2}\d{1,3}[^\p{L}\p{N}]{0,2}$/u;

/** "1 Transport …": a description set close behind its number. */
const numberedWords = /^\d{1,3}[.)]?\s+\p{L}{3}/u;

/** The words under "Description", else those at the left; lines of one description go on after a blank. */
function wordsOf(grid: Grid, row: GridRow, roles: Roles): FieldValue<string> | undefined {
  const at = grid.columns.findIndex((_, column) => roles.get(column) === "Description");
  const under = row.words.filter(
    ({ column, segment }) => column === at || (column < at && numberedWords.test(segment.text)),
  );
  const words = (under.length > 0 ? under : has(grid, "Description") ? [] : row.words.slice(0, 1))
    .map(({ segment }) => segment)
    .filter(({ text }) => !position.test(text))
    .sort((a, b) => a.box.y0 - b.box.y0 || a.box.x0 - b.box.x0);
  const [first] = words.filter(({ text }) => /\p{L}{2}/u.test(text));
  if (!first) return undefined;
  const text = words.map((segment) => segment.text.trim()).join(" ");
  const trimmed = text.replace(/^\d{1,2}[.)]?\s+(?=\p{Lu})/u, "").replace(/\s+/gu, " ");
  return new FieldValue(trimmed, words.length > 1 ? 0.7 : 0.85, { segment: first, start: 0, end: first.text.length });
}

function unitOf(row: GridRow, roles: Roles, quantity: GridNumber | undefined): FieldValue<string> | undefined {
  if (quantity?.unit) {
    const start = quantity.segment.text.indexOf(quantity.unit, quantity.end);
    return new FieldValue(quantity.unit, 0.8, { segment: quantity.segment, start, end: start + quantity.unit.length });
  }
  const own = row.words.find(
    ({ column, segment }) => roles.get(column) === "Unit" && segment.text.length <= 14,
  )?.segment;
  return own && new FieldValue(own.text, 0.85, { segment: own, start: 0, end: own.text.length });
}

function shareOf(row: GridRow, roles: Roles): ShareDraft | undefined {
  const [rate, net, vat] = (["Rate", "Net", "Vat"] as const).map((role) => figureOf(row, roles, role));
  if (!rate || valueOf(rate) > 30 || (!net && !vat)) return undefined;
  return {
    vatRate: valueOfFigure(rate, 0.85),
    ...(net && { netAmount: valueOfFigure(net, 0.85) }),
    ...(vat && { vatAmount: valueOfFigure(vat, 0.85) }),
  };
}

/** One printed rate that makes the whole tax of the whole net. */
function single(document: DocumentContext, { netAmount, vatAmount }: Totals): ShareDraft[] {
  if (!netAmount || !vatAmount) return [];
  for (const segment of document.annotations.layout.segments) {
    for (const entity of document.annotations.entitiesIn[segment.index] ?? []) {
      if (entity.type !== "Percent" || entity.value > 30) continue;
      if (Math.abs((netAmount.value * entity.value) / 100 - vatAmount.value) > 0.02) continue;
      const vatRate = new FieldValue(entity.value, 0.85, { segment, start: entity.start, end: entity.end });
      return [{ vatRate, netAmount: netAmount.as(netAmount.value), vatAmount: vatAmount.as(vatAmount.value) }];
    }
  }
  return [];
}
