import type { Chance } from "../chance.ts";
import { htmlPage } from "../layouts/html.ts";
import { encoded, wrapped } from "../layouts/text.ts";
import { Canvas } from "../set/canvas.ts";

/** A labelled value of a form. The value may have several lines. */
export interface Field {
  label: string;
  value: string;
}

/** The texts of a notice, certificate or card, from which each layout makes a file. */
export interface Form {
  letterhead: string[];
  recipient: string[];
  title: string;
  opening: string;
  fields: Field[];
  closing: string[];
}

/** Renders a form as the bytes of a file. */
export interface FormLayout {
  extension: "pdf" | "txt" | "html";
  weight: number;
  set(chance: Chance, form: Form): Promise<Uint8Array> | Uint8Array;
}

function head(canvas: Canvas, { letterhead, recipient, title, opening }: Form): void {
  letterhead.forEach((line, at) => canvas.line(line, { bold: at === 0, size: canvas.size + (at === 0 ? 2 : 0) }, 2));
  if (recipient.length > 0) {
    canvas.y += 14;
    for (const line of recipient) canvas.line(line, {}, 2);
  }
  canvas.y += 14;
  canvas.line(title, { bold: true, size: canvas.size + 4 }, 10);
  if (opening) canvas.line(opening, {}, 10);
}

function rows(
  canvas: Canvas,
  fields: readonly Field[],
  { ruled, labelWidth, colon }: { ruled: boolean; labelWidth: number; colon: string },
): void {
  for (const { label, value } of fields) {
    const width = canvas.width - labelWidth;
    const height = Math.max(canvas.height(label + colon, labelWidth - 8), canvas.height(value, width - 8)) + 6;
    canvas.need(height);
    canvas.at(label + colon, canvas.left + 3, canvas.y + 3, labelWidth - 8, { bold: ruled });
    canvas.at(value, canvas.left + labelWidth + 3, canvas.y + 3, width - 8);
    if (ruled) {
      canvas.frame(canvas.left, canvas.y, labelWidth, height);
      canvas.frame(canvas.left + labelWidth, canvas.y, width, height);
    }
    canvas.y += height;
  }
}

async function drawn(chance: Chance, form: Form, body: (canvas: Canvas) => void): Promise<Uint8Array> {
  const canvas = new Canvas(chance, JSON.stringify(form));
  head(canvas, form);
  body(canvas);
  canvas.y += 10;
  for (const line of form.closing) canvas.line(line, {}, 4);
  return canvas.finish();
}

const list: FormLayout = {
  extension: "pdf",
  weight: 5,
  set: (chance, form) =>
    drawn(chance, form, (canvas) =>
      rows(canvas, form.fields, {
        ruled: false,
        labelWidth: chance.pick([120, 150, 190]),
        colon: chance.pick([":", ""]),
      }),
    ),
};

const table: FormLayout = {
  extension: "pdf",
  weight: 4,
  set: (chance, form) =>
    drawn(chance, form, (canvas) =>
      rows(canvas, form.fields, { ruled: true, labelWidth: chance.pick([140, 180]), colon: "" }),
    ),
};

/** Small captions above their values, with two fields per row. */
const captions: FormLayout = {
  extension: "pdf",
  weight: 3,
  set: (chance, form) =>
    drawn(chance, form, (canvas) => {
      const width = canvas.width / 2;
      const framed = chance.happens(0.5);
      for (let at = 0; at < form.fields.length; at += 2) {
        const pair = form.fields.slice(at, at + 2);
        const height = Math.max(...pair.map(({ value }) => canvas.height(value, width - 10))) + 20;
        canvas.need(height);
        for (const [side, { label, value }] of pair.entries()) {
          const x = canvas.left + side * width;
          canvas.at(label, x + 4, canvas.y + 2, width - 10, { size: canvas.size - 2 });
          canvas.at(value, x + 4, canvas.y + 13, width - 10);
          if (framed) canvas.frame(x, canvas.y, width, height);
        }
        canvas.y += height + 2;
      }
    }),
};

const print: FormLayout = {
  extension: "txt",
  weight: 3,
  set: (chance, { letterhead, recipient, title, opening, fields, closing }) => {
    const width = chance.pick([0, 30, 42]);
    const field = ({ label, value }: Field): string => {
      const [first = "", ...more] = value.split("\n");
      const lead = width === 0 ? `${label}: ` : `${label.padEnd(width)}: `;
      return [lead + first, ...more.map((line) => " ".repeat(width === 0 ? 4 : width + 2) + line)].join("\n");
    };
    const parts = [
      letterhead.join("\n"),
      recipient.join("\n"),
      title,
      wrapped(opening, 76).join("\n"),
      fields.map(field).join("\n"),
      closing.flatMap((line) => wrapped(line, 76)).join("\n"),
    ];
    return encoded(parts.filter(Boolean).join("\n\n"));
  },
};

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("\n", "<br>");

const web: FormLayout = {
  extension: "html",
  weight: 1,
  set: (_, { letterhead, recipient, title, opening, fields, closing }) => {
    const body = fields
      .map(({ label, value }) => `<tr><td>${escaped(label)}</td><td>${escaped(value)}</td></tr>`)
      .join("\n");
    const lines = (list: string[]): string => list.map((line) => `<p>${escaped(line)}</p>`).join("\n");
    return encoded(
      htmlPage(
        `${lines([...letterhead, ...recipient])}<h2>${escaped(title)}</h2>${lines([opening])}<table border="1">${body}</table>${lines(closing)}`,
      ),
    );
  },
};

/** Layouts of fines, policies and drivers' documents by name. */
export const formLayouts: Record<string, FormLayout> = { list, table, captions, print, web };
