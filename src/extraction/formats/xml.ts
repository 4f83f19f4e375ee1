import type { StructuredPart } from "../document/document.ts";
import { decode } from "./encoding.ts";
import { requireValueLimit, layOutOutline, type OutlineLine } from "./page-builder.ts";
import type { ReaderContext, Reader } from "./reader.ts";
import { localName, streamXml } from "./xml-stream.ts";

export const readXml: Reader = (file, context) => {
  const text = decode(file.bytes, declaredEncoding(file.bytes));
  return {
    pages: layOutOutline(outlineOf(text, context), context),
    structured: [{ format: xmlKind(text), name: file.name, text }],
  };
};

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  return head.match(/^[^<]{0,4}<\?xml[^>]*\bencoding\s*=\s*["']([\w-]+)["']/)?.[1];
}

function xmlKind(text: string): StructuredPart["format"] {
  const root = text.slice(0, 50_000).match(/<(?:[\w.-]+:)?([\w.-]+)(|[\s/][^<>]*)>/);
  const [, name = "", attributes = ""] = root ?? [];
  if (
    /^CrossIndustry(?:Invoice|Document)$/.test(name) ||
    /urn:un:unece:uncefact:data:standard:CrossIndustry/.test(attributes)
  )
    return "Cii";
  if (/urn:oasis:names:specification:ubl:/.test(attributes)) return "Ubl";
  if (/\/apps\/otm|opentripmodel/i.test(attributes)) return "Otm";
  return "Xml";
}

function outlineOf(text: string, context: ReaderContext): OutlineLine[] {
  const lines: OutlineLine[] = [];
  const open: OutlineLine[] = [];
  streamXml(
    text,
    {
      open: (name, attributes) => {
        const line = { depth: open.length, name: localName(name), value: "" };
        open.push(line);
        lines.push(line);
        requireValueLimit(lines.length, context);
        for (const [key, value] of Object.entries(attributes)) {
          if (!/^xmlns\b|^xsi:/.test(key))
            lines.push({ depth: open.length, name: localName(key), value: value.trim() });
        }
      },
      close: () => open.pop(),
      text: (piece) => {
        const line = open.at(-1);
        if (line && piece.trim() !== "") line.value += piece.replace(/\s+/g, " ");
      },
    },
    context,
  );
  return lines.map((line) => ({ ...line, value: line.value.trim() }));
}
