import type { DocumentLocale } from "../../entities/entity.ts";
import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import { valueOf, type GridNumber } from "../../fields/grid/figures.ts";
import { gridsIn, hasColumn, isOfServices, type Grid, type GridRow } from "../../fields/grid/grid.ts";
import type { ColumnRole } from "../../fields/grid/header.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { isWithin } from "../checks.ts";
import { entityValue, segmentValue } from "../field-values.ts";
import { lineOfAmount, linesWithoutTable } from "./lines-without-table.ts";
import { maxRateInTable, maxVatRate, rounding, scores } from "./scores.ts";
import type { Totals } from "./totals.ts";
import { sharesInRows, type ShareDraft } from "./vat-shares.ts";
import type { InvoiceLine } from "./view.ts";

type LineDraft = NonNullable<FieldValues<InvoiceLine>>;
type FigureRole = Exclude<ColumnRole, "Description" | "Route" | "Unit" | "Other">;

type Roles = ReadonlyMap<number, ColumnRole>;

const figureRoles: ReadonlySet<ColumnRole> = new Set(["Quantity", "UnitPrice", "Net", "Rate", "Vat", "Gross"]);
const maxCombinations = 6000;
const maxRows = 5;

/** Finds the lines of the invoice, in the order in which they are printed. */
export function linesIn(document: DocumentContext, context: DocumentLocale, totals: Totals): LineDraft[] {
  const listed = listedLines(document, context, totals);
  if (listed.length === 0) return linesWithoutTable(document, context, totals);
  const sum = listed.reduce((total, { netAmount }) => total + (netAmount?.value ?? 0), 0);
  const left = totals.netAmount && Math.round((totals.netAmount.value - sum) * 100) / 100;
  const more = left ? lineOfAmount(document, context, left) : undefined;
  return more ? [...listed, more] : listed;
}

export function listedLines(document: DocumentContext, context: DocumentLocale, totals: Totals): LineDraft[] {
  return continued(gridsIn(document, context).filter(isOfServices)).flatMap((grid) => {
    const roles = rolesOf(grid, totals);
    const texts = textColumns(grid, roles);
    return billedRows(grid, roles, totals).flatMap((row) => lineOf(row, roles, texts) ?? []);
  });
}

/** Joins tables with the same headings: a table that continues on the next page. */
function continued(grids: readonly Grid[]): Grid[] {
  const key = ({ columns }: Grid) => columns.map(({ text }) => text).join("|");
  return [...Map.groupBy(grids, key).values()].map((same) => ({
    ...same[0]!,
    rows: same.flatMap(({ rows }) => rows),
  }));
}

/**
 * Rows with only an amount are lines (a discount, a surcharge) if they make the total complete. A subtotal or a sum
 * carried over is not.
 */
function billedRows({ rows }: Grid, roles: Roles, { netAmount, grossAmount }: Totals): readonly GridRow[] {
  const full = rows.filter(({ isBare }) => !isBare);
  const amountOf = (row: GridRow) => figureOf(row, roles, "Net") ?? figureOf(row, roles, "Gross");
  const sumOf = (some: readonly GridRow[]) =>
    some.reduce((total, row) => {
      const amount = amountOf(row);
      return total + (amount ? valueOf(amount) : 0);
    }, 0);
  const charges = rows.filter((row, at) => {
    const amount = amountOf(row);
    if (!row.isBare) return true;
    return (
      amount !== undefined && !rows.slice(0, at).some((_, from) => near(sumOf(rows.slice(from, at)), valueOf(amount)))
    );
  });
  const isWhole = (some: readonly GridRow[]) =>
    [netAmount, grossAmount].some((whole) => whole && near(sumOf(some), whole.value));
  return isWhole(full) || !isWhole(charges) ? full : charges;
}

/** Finds the amounts by VAT rate: in a table, otherwise in rows, otherwise by the single rate that fits the totals. */
export function vatSharesIn(document: DocumentContext, context: DocumentLocale, totals: Totals): ShareDraft[] {
  const shares = gridsIn(document, context)
    .filter((grid) => !isOfServices(grid) && hasColumn(grid, "Rate"))
    .flatMap((grid) => {
      const roles = rolesOf(grid, totals);
      return grid.rows.flatMap((row) => shareOf(row, roles) ?? []);
    });
  const sum = shares.reduce((total, { netAmount }) => total + (netAmount?.value ?? 0), 0);
  const whole = totals.netAmount?.value;
  if (shares.length > 0 && (whole === undefined || Math.abs(sum - whole) < rounding.sharesOfTotal)) return shares;
  const inRows = sharesInRows(document, context, totals);
  return inRows.length > 0 ? inRows : singleRate(document, totals);
}

/**
 * Finds the assignment of roles to columns that agrees best with the rows and the totals. A column may get a role that
 * its heading does not allow if the rows do not add up otherwise, or if it contains numbers and would get no role.
 */
function rolesOf(grid: Grid, totals: Totals): Roles {
  const { agreed, minGain } = scores.columns;
  const byHeading = bestAssignment(grid, totals, (at) => possibleRoles(grid, at));
  const idle = (at: number) => byHeading.roles.get(at) === "Other" && grid.rows.some((row) => figureIn(row, at));
  const unsure = byHeading.points < agreed;
  if (!unsure && !grid.columns.some((_, at) => idle(at))) return byHeading.roles;
  const free = bestAssignment(grid, totals, (at) => {
    const own = possibleRoles(grid, at);
    const open = idle(at) || (unsure && own.some((role) => role === "Net" || role === "UnitPrice" || role === "Gross"));
    const free: ColumnRole[] = ["Quantity", "UnitPrice", "Net", ...(holdsRates(grid, at) ? (["Rate"] as const) : [])];
    return open ? [...new Set<ColumnRole>([...own, ...free, "Vat", "Gross", "Other"])] : own;
  });
  return free.points > byHeading.points + minGain ? free.roles : byHeading.roles;
}

interface Assignment {
  roles: Roles;
  points: number;
}

function bestAssignment(grid: Grid, totals: Totals, possible: (at: number) => readonly ColumnRole[]): Assignment {
  let all: Map<number, ColumnRole>[] = [new Map()];
  for (const at of grid.columns.keys()) {
    all = all
      .flatMap((roles) =>
        possible(at).flatMap((role) =>
          figureRoles.has(role) && [...roles.values()].includes(role) ? [] : [new Map(roles).set(at, role)],
        ),
      )
      .slice(0, maxCombinations);
  }
  if (all.length === 0) all = [new Map(grid.columns.map(({ roles }, at) => [at, roles[0] ?? "Other"]))];
  return all
    .map((roles) => ({ roles, points: agreement(grid, roles, totals) }))
    .reduce((best, each) => (each.points > best.points ? each : best));
}

/** `Other` is always possible, because two columns may have the same heading. */
function possibleRoles(grid: Grid, at: number): readonly ColumnRole[] {
  const roles = grid.columns[at]?.roles ?? [];
  if (!grid.rows.some((row) => figureIn(row, at)))
    return roles.slice(0, 1).map((role) => (figureRoles.has(role) ? "Other" : role));
  if (percentIn(grid, at) && (roles.includes("Rate") || allPercent(grid, at))) return ["Rate", "Other"];
  if (roles.includes("Rate") && holdsRates(grid, at)) return ["Rate", "Vat", "Other"];
  return [...new Set<ColumnRole>([...roles, "Other"])];
}

/** Whether all numbers of a column may be VAT rates without a percent sign. */
function holdsRates(grid: Grid, at: number): boolean {
  const figures = grid.rows.flatMap((row) => figureIn(row, at) ?? []);
  return (
    figures.length > 0 &&
    figures.every((figure) => valueOf(figure) >= 0 && valueOf(figure) <= maxVatRate && !figure.cents)
  );
}

function percentIn(grid: Grid, at: number): boolean {
  return grid.rows.some((row) => figureIn(row, at)?.percent);
}

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

const near = (a: number, b: number) => isWithin(a, b, rounding.tableRow);

function agreement(grid: Grid, roles: Roles, totals: Totals): number {
  const worth = scores.columns;
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
    if (any([quantity, price, net], (q, p, n) => near(q * p, n))) points += worth.quantityTimesPriceIsNet;
    else if (any([quantity, price, gross], (q, p, g) => near(q * p, g))) points += worth.quantityTimesPriceIsGross;
    if (any([net, rate, vat], (n, r, v) => near((n * r) / 100, v))) points += worth.rateOfNetIsVat;
    if (any([net, vat, gross], (n, v, g) => near(n + v, g))) points += worth.netAndVatIsGross;
    if (any([net, rate, gross], (n, r, g) => near(n * (1 + r / 100), g))) points += worth.netWithRateIsGross;
  }
  points /= Math.max(1, rows.length);
  const full = grid.rows.filter(({ isBare }) => !isBare);
  const sumOf = (some: readonly GridRow[], role: FigureRole) =>
    some.reduce((total, row) => total + (values(row, role)[0] ?? 0), 0);
  const sum = (role: FigureRole) => sumOf(full, role);
  const isNet = [full, grid.rows].some((some) => near(sumOf(some, "Net"), totals.netAmount?.value ?? 0));
  if (totals.netAmount && isNet) points += worth.netTotal;
  const taxed = totals.grossAmount?.value !== totals.netAmount?.value;
  if (totals.grossAmount && taxed && near(sum("Gross"), totals.grossAmount.value)) points += worth.grossTotal;
  const tax = full.reduce(
    (total, row) => total + ((values(row, "Net")[0] ?? 0) * (values(row, "Rate")[0] ?? 0)) / 100,
    0,
  );
  if (totals.vatAmount && totals.vatAmount.value !== 0 && near(tax, totals.vatAmount.value)) points += worth.vatTotal;
  if (totals.vatAmount && totals.vatAmount.value !== 0 && near(sum("Vat"), totals.vatAmount.value))
    points += worth.vatTotal;
  const likeliest = grid.columns.filter(({ roles: of }, at) => of[0] === roles.get(at)).length;
  return points + worth.firstRole * likeliest;
}

function valueOfFigure(
  figure: GridNumber | undefined,
  confidence: number,
  value = figure && valueOf(figure),
): FieldValue<number> | undefined {
  return figure && value !== undefined ? new FieldValue(value, confidence, figure) : undefined;
}

/** An ambiguous number such as "1.234" gets the value for which quantity times price is the amount. */
function lineOf(row: GridRow, roles: Roles, texts: readonly number[]): LineDraft | undefined {
  const [quantity, price, net] = (["Quantity", "UnitPrice", "Net"] as const).map((role) => figureOf(row, roles, role));
  const [rate, vat, gross] = (["Rate", "Vat", "Gross"] as const).map((role) => figureOf(row, roles, role));
  const paid = net ?? gross;
  if (!paid && !price) return undefined;
  const [q, p, n] = multiplied(quantity, price, paid);
  const right = q !== undefined && p !== undefined && n !== undefined && near(q * p, n);
  const confidence = right ? scores.tableRow.product : scores.tableRow.other;
  const description = wordsOf(row, texts);
  const unit = unitOf(row, roles, quantity);
  const money = (figure: GridNumber | undefined, value?: number) =>
    valueOfFigure(figure, confidence, value === undefined ? undefined : Math.round(value * 100) / 100);
  return {
    ...(description && { description }),
    ...(quantity && { quantity: valueOfFigure(quantity, confidence, q) }),
    ...(unit && { unit }),
    ...(price && { unitPrice: valueOfFigure(price, confidence, p) }),
    ...(net && { netAmount: money(net, n) }),
    ...(rate && valueOf(rate) <= maxRateInTable && { vatRate: valueOfFigure(rate, confidence) }),
    ...(vat && { vatAmount: money(vat) }),
    ...(gross && { grossAmount: money(gross, net ? undefined : n) }),
  };
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

const lettersIn = (text: string) => text.replace(/[^\p{L}]/gu, "").length;

/** The columns that may hold the description, best first: by their heading, then by the number of letters. */
function textColumns(grid: Grid, roles: Roles): number[] {
  const letters = (at: number) =>
    grid.rows
      .flatMap(({ words }) => words.filter(({ column }) => column === at))
      .reduce((sum, { segment }) => sum + lettersIn(segment.text), 0);
  const rank = (at: number) => ["Other", "Route", "Description"].indexOf(roles.get(at) ?? "");
  return [...grid.columns.keys()]
    .filter((at) => rank(at) >= 0 && letters(at) > 0)
    .sort((a, b) => rank(b) - rank(a) || letters(b) - letters(a));
}

function wordsOf(row: GridRow, columns: readonly number[]): FieldValue<string> | undefined {
  const worded = (at: number) => row.words.some(({ column, segment }) => column === at && lettersIn(segment.text) > 1);
  const at = row.isBare ? undefined : columns.find(worded);
  const amount = row.figures[0]?.figure.box.x0 ?? 0;
  const words = row.words
    .filter(({ column, segment }) => (row.isBare ? segment.box.x0 < amount : column === at))
    .map(({ segment }) => segment)
    .filter(({ text }) => !position.test(text))
    .sort((a, b) => a.box.y0 - b.box.y0 || a.box.x0 - b.box.x0);
  const [first] = words.filter(({ text }) => lettersIn(text) > 1);
  if (!first) return undefined;
  const { oneLine, severalLines } = scores.description;
  const text = words.map((segment) => segment.text.trim()).join(" ");
  const trimmed = text.replace(/^\d{1,2}[.)]?\s+(?=\p{Lu})/u, "").replace(/\s+/gu, " ");
  return segmentValue(trimmed, first, words.length > 1 ? severalLines : oneLine);
}

const unitAlone = /^\p{L}{1,7}\.?(?:\/\p{L}{1,4}\.?)?$/u;

function unitOf(row: GridRow, roles: Roles, quantity: GridNumber | undefined): FieldValue<string> | undefined {
  if (quantity?.unit) {
    const start = quantity.segment.text.indexOf(quantity.unit, quantity.end);
    const end = start + quantity.unit.length;
    return new FieldValue(quantity.unit, scores.unit.behindQuantity, { segment: quantity.segment, start, end });
  }
  const cells = row.words.filter(({ segment }) => segment.text.length <= 14);
  const beside = row.figures.find(({ figure }) => figure === quantity)?.column;
  const own = (
    cells.find(({ column }) => roles.get(column) === "Unit") ??
    cells.find(
      ({ column, segment }) =>
        beside !== undefined &&
        roles.get(column) === "Other" &&
        Math.abs(column - beside) === 1 &&
        unitAlone.test(segment.text),
    )
  )?.segment;
  return own && segmentValue(own.text, own, scores.unit.column);
}

function shareOf(row: GridRow, roles: Roles): ShareDraft | undefined {
  const [rate, net, vat] = (["Rate", "Net", "Vat"] as const).map((role) => figureOf(row, roles, role));
  if (!rate || valueOf(rate) > maxRateInTable || (!net && !vat)) return undefined;
  return {
    vatRate: valueOfFigure(rate, scores.vatShare),
    ...(net && { netAmount: valueOfFigure(net, scores.vatShare) }),
    ...(vat && { vatAmount: valueOfFigure(vat, scores.vatShare) }),
  };
}

/** Finds the printed rate that yields the total VAT from the net total. */
function singleRate(document: DocumentContext, { netAmount, vatAmount }: Totals): ShareDraft[] {
  if (!netAmount || !vatAmount) return [];
  for (const segment of document.annotations.layout.segments) {
    for (const entity of document.annotations.entitiesIn[segment.index] ?? []) {
      if (entity.type !== "Percent" || entity.value > maxRateInTable) continue;
      if (Math.abs((netAmount.value * entity.value) / 100 - vatAmount.value) > rounding.tableRow.amount) continue;
      const vatRate = entityValue(entity.value, { segment, entity }, scores.vatShare);
      return [{ vatRate, netAmount: netAmount.as(netAmount.value), vatAmount: vatAmount.as(vatAmount.value) }];
    }
  }
  return [];
}
