import type { Page, StructuredPart, Token } from "../../document/document.ts";
import { cleanText, splitWords } from "../clean-text.ts";
import { transformBox, type Matrix } from "./geometry.ts";

/** A form field, as pdf.js returns it. */
export interface Annotation {
  subtype?: string;
  fieldName?: string;
  fieldType?: string;
  fieldValue?: unknown;
  checkBox?: boolean;
  radioButton?: boolean;
  hidden?: boolean;
  rect?: number[];
}

interface Filled {
  name: string;
  value: string;
  rect: number[];
}

/** Finds the visible form fields that have a value. */
export function filledFields(annotations: Annotation[]): Filled[] {
  return annotations.flatMap((field) => {
    const value = valueOf(field);
    if (field.subtype !== "Widget" || field.hidden || !value || field.rect?.length !== 4) return [];
    return [{ name: field.fieldName ?? "", value, rect: field.rect }];
  });
}

function valueOf(field: Annotation): string {
  if (field.fieldType === "Sig") return "";
  if (field.fieldType === "Btn") return isTicked(field) ? "X" : "";
  const value = Array.isArray(field.fieldValue) ? field.fieldValue.join(" ") : field.fieldValue;
  return typeof value === "string" ? cleanText(value).trim() : "";
}

function isTicked(field: Annotation): boolean {
  return field.checkBox === true && typeof field.fieldValue === "string" && field.fieldValue !== "Off";
}

/** Adds the values of form fields to the page, unless the page already shows them. */
export function writeFields(page: Page, fields: Filled[], base: Matrix): void {
  for (const { rect, value } of fields) {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = rect;
    const box = transformBox(base, { x0, y0, x1, y1 });
    const printed = page.tokens.some(
      (token) => centre(token.x0, token.x1, box.x0, box.x1) && centre(token.y0, token.y1, box.y0, box.y1),
    );
    if (!printed) page.tokens.push(...written(value, box));
  }
}

function centre(from: number, to: number, low: number, high: number): boolean {
  const middle = (from + to) / 2;
  return middle >= low && middle <= high;
}

function written(value: string, box: { x0: number; y0: number; x1: number; y1: number }): Token[] {
  const lines = value.split(/\r\n|\r|\n/);
  const size = Math.min(10, Math.max(4, (box.y1 - box.y0) / lines.length));
  const column = size * 0.5;
  // A single line is centred vertically; several lines begin at the top.
  const top = lines.length > 1 ? box.y0 : (box.y0 + box.y1 - size) / 2;
  return lines.flatMap((line, row) =>
    splitWords(line).map(({ text, at }) => ({
      text,
      x0: box.x0 + at * column,
      x1: box.x0 + (at + text.length) * column,
      y0: top + row * size,
      y1: top + (row + 1) * size,
      size,
      bold: false,
      confidence: 1,
      source: "Pdf" as const,
    })),
  );
}

/** Returns the values of all named form fields as JSON. */
export function formPart(name: string, fields: Filled[]): StructuredPart[] {
  const named = fields.filter((field) => field.name !== "");
  if (named.length === 0) return [];
  return [{ format: "Form", name, text: JSON.stringify(Object.fromEntries(named.map((f) => [f.name, f.value]))) }];
}
