import { writeXlsx } from "hucre";

export interface SheetSource {
  name: string;
  rows: (string | number | boolean | null)[][];
  /** "A1:C1" */
  merges?: string[];
  /** In characters. */
  widths?: number[];
}

export async function sheetsToXlsx(sheets: SheetSource[]): Promise<Uint8Array> {
  return writeXlsx({
    sheets: sheets.map(({ name, rows, merges = [], widths = [] }) => ({
      name: name.replaceAll(/[\\/?*[\]:]/g, " ").slice(0, 31),
      rows,
      merges: merges.map(rangeOf),
      columns: widths.map((width) => ({ width })),
    })),
  });
}

/** The first sheet, with semicolons, as programs of most European countries export it. */
export function sheetsToCsv([sheet]: SheetSource[]): Uint8Array {
  const quoted = (cell: string) => (/[;"\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const lines = (sheet?.rows ?? []).map((row) =>
    row.map((cell) => quoted(cell === null ? "" : String(cell))).join(";"),
  );
  return new TextEncoder().encode(`${lines.join("\r\n")}\r\n`);
}

function rangeOf(range: string) {
  const [start, end = start] = range.split(":").map((cell) => {
    const [, letters = "A", row = "1"] = /^([A-Z]+)(\d+)$/.exec(cell) ?? [];
    return {
      row: Number(row) - 1,
      column: [...letters].reduce((sum, each) => sum * 26 + each.charCodeAt(0) - 64, 0) - 1,
    };
  });
  return { startRow: start!.row, startCol: start!.column, endRow: end!.row, endCol: end!.column };
}
