import { burn, type Entry } from "@kenjiuno/msgreader/lib/Burner.js";
import { TypeEnum } from "@kenjiuno/msgreader/lib/Reader.js";
import { strToU8, zipSync, type Zippable } from "fflate";

/** Makes a zip archive. */
export function zip(files: Record<string, string | Uint8Array>): Uint8Array {
  const entries: Zippable = {};
  for (const [name, content] of Object.entries(files))
    entries[name] = typeof content === "string" ? strToU8(content) : content;
  return zipSync(entries);
}

const wordSpace =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';

/** Makes a DOCX with the given body and further parts in `word/`. */
export function docx(body: string, parts: Record<string, string> = {}): Uint8Array {
  const files: Record<string, string> = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    "word/document.xml": `<?xml version="1.0" encoding="UTF-8"?><w:document ${wordSpace}><w:body>${body}</w:body></w:document>`,
  };
  for (const [name, content] of Object.entries(parts))
    files[`word/${name}`] = `<w:part ${wordSpace}>${content}</w:part>`;
  return zip(files);
}

export function paragraph(text: string, properties = ""): string {
  return `<w:p><w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

export function table(rows: string[][]): string {
  return `<w:tbl>${rows.map((row) => `<w:tr>${row.map((cell) => `<w:tc>${cell}</w:tc>`).join("")}</w:tr>`).join("")}</w:tbl>`;
}

interface Stream {
  name: string;
  content: Uint8Array;
}

interface Storage {
  name: string;
  entries: (Stream | Storage)[];
}

/** Makes an OLE compound file with the given streams and storages. */
export function compound(entries: (Stream | Storage)[]): Uint8Array {
  const flat: Entry[] = [{ name: "Root Entry", type: TypeEnum.ROOT, length: 0, children: [] }];
  const place = (parent: Entry, children: (Stream | Storage)[]): void => {
    for (const child of children) {
      const isStorage = "entries" in child;
      const entry: Entry = isStorage
        ? { name: child.name, type: TypeEnum.DIRECTORY, length: 0, children: [] }
        : {
            name: child.name,
            type: TypeEnum.DOCUMENT,
            length: child.content.length,
            binaryProvider: () => child.content,
          };
      parent.children?.push(flat.push(entry) - 1);
      if (isStorage) place(entry, child.entries);
    }
  };
  const [top] = flat;
  if (top) place(top, entries);
  return burn(flat);
}

const unicode = (text: string) =>
  Uint8Array.from([...text].flatMap((letter) => [letter.charCodeAt(0) & 0xff, letter.charCodeAt(0) >> 8]));
const properties = (length: number) => ({ name: "__properties_version1.0", content: new Uint8Array(length) });

export interface MessagePlan {
  subject: string;
  sender: { name: string; address: string };
  body?: string;
  html?: string;
  rtf?: Uint8Array;
  attachments?: { name: string; content: Uint8Array }[];
}

/** Makes an Outlook message, in which every property is a stream that is named after its tag. */
export function msg({ subject, sender, body, html, rtf, attachments = [] }: MessagePlan): Uint8Array {
  const text = (tag: string, value: string | undefined) =>
    value === undefined ? [] : [{ name: `__substg1.0_${tag}001F`, content: unicode(value) }];
  return compound([
    properties(32),
    ...text("0037", subject),
    ...text("0C1A", sender.name),
    ...text("5D01", sender.address),
    ...text("1000", body),
    ...text("1013", html),
    ...(rtf ? [{ name: "__substg1.0_10090102", content: rtf }] : []),
    ...attachments.map(({ name, content }, index) => ({
      name: `__attach_version1.0_#0000000${index}`,
      entries: [properties(8), ...text("3707", name), { name: "__substg1.0_37010102", content }],
    })),
  ]);
}

/** Wraps RTF in Outlook's uncompressed storage format. */
export function storedRtf(rtf: string): Uint8Array {
  const text = strToU8(rtf);
  const out = new Uint8Array(16 + text.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, text.length + 12, true);
  view.setUint32(4, text.length, true);
  view.setUint32(8, 0x414c454d, true);
  out.set(text, 16);
  return out;
}

/** Makes an XLS workbook, in the format before 2007: one sheet of texts and numbers, as BIFF8 records. */
export function xls(rows: (string | number)[][], { locked = false } = {}): Uint8Array {
  const sheet = [biff(0x809, [0, 6, 0x10, 0, 0, 0, 0, 0])];
  rows.forEach((row, at) => row.forEach((value, column) => sheet.push(biffCell(at, column, value))));
  sheet.push(biff(0x0a, []));
  const globals = (offset: number) => [
    biff(0x809, [0, 6, 5, 0, 0, 0, 0, 0]),
    ...(locked ? [biff(0x2f, [0, 0, 0, 0, 0, 0])] : []),
    biff(0x85, [...uint32(offset), 0, 0, 5, 0, ..."Order".split("").map((letter) => letter.charCodeAt(0))]),
    biff(0x0a, []),
  ];
  const start = globals(0).flat().length;
  const stream = [...globals(start).flat(), ...sheet.flat()];
  // A compound file stores short streams in another way, so the stream is padded to a realistic length.
  return compound([
    {
      name: "Workbook",
      content: Uint8Array.from([...stream, ...Array<number>(Math.max(0, 5000 - stream.length)).fill(0)]),
    },
  ]);
}

const uint16 = (value: number) => [value & 0xff, (value >> 8) & 0xff];
const uint32 = (value: number) => [...uint16(value & 0xffff), ...uint16(value >>> 16)];
const biff = (type: number, data: number[]) => [...uint16(type), ...uint16(data.length), ...data];

function biffCell(row: number, column: number, value: string | number): number[] {
  const place = [...uint16(row), ...uint16(column), 0, 0];
  if (typeof value === "number") return biff(0x203, [...place, ...new Uint8Array(new Float64Array([value]).buffer)]);
  const letters = [...value].flatMap((letter) => uint16(letter.charCodeAt(0)));
  return biff(0x204, [...place, ...uint16(value.length), 1, ...letters]);
}
