/** Statements of fuel and toll cards: rows in any layout and language, parsed one chunk at a time. */
export { bounds } from "./line.ts";
export { beginningOf, bytesOf, rowsIn, textOf, type Dialect } from "./delimited.ts";
export { headingStrength, layoutBelow, type Layout, type Row } from "./layout.ts";
export { carriedOver, parseRow, type Carried, type ParsedRow, type RowProblem, type StatementLine } from "./line.ts";
export { recordText, sheetText, convertedFormats, statementFormats } from "./convert.ts";
export { fuelOf, fuels, isLitre, kindOfProduct, kinds, types, type Fuel, type Kind, type Type } from "./words.ts";
