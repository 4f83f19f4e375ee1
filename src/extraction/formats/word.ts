import { ExtractionProblem } from "../problem.ts";
import type { Block } from "./blocks.ts";
import { decode } from "./encoding.ts";
import { embeddedPictures } from "./embedded-pictures.ts";
import type { Reader, ReaderContext } from "./reader.ts";
import { layOutBlocks } from "./table-layout.ts";
import { isOn, WordWriter } from "./word-writer.ts";
import { localName, streamXml } from "./xml-stream.ts";
import { checkZip, unzip } from "./zip.ts";

/**
 * Reads the body, headers, footers, notes and text boxes of a DOCX. Headers are placed once before the body, footers
 * and notes once after it.
 */
export const readWord: Reader = (file, context) => {
  const entries = checkZip(file.bytes, context.limits);
  const files = unzip(file.bytes, entries, (name) => /^word\/[^/]+\.xml$/.test(name), context);
  const texts = new Map([...files].map(([name, bytes]) => [name, decode(bytes)]));
  const main = [...texts.keys()].find((name) => /^word\/document\d*\.xml$/.test(name));
  if (!main) throw new ExtractionProblem("file_corrupted", "The Word document is damaged: its main part is missing.");
  const bold = boldStyles(texts.get("word/styles.xml") ?? "", context);
  const partsNamed = (pattern: RegExp) => [...texts.keys()].filter((name) => pattern.test(name)).toSorted();
  const read = (names: string[]) => distinct(names.map((name) => wordBlocks(texts.get(name) ?? "", bold, context)));
  const blocks = [
    ...read(partsNamed(/^word\/header\d*\.xml$/)),
    ...wordBlocks(texts.get(main) ?? "", bold, context),
    ...read(partsNamed(/^word\/(?:footer|footnotes|endnotes)\d*\.xml$/)),
  ];
  const pages = layOutBlocks(blocks, context);
  return { pages, embedded: embeddedPictures(file.bytes, entries, pages, context) };
};

/** Drops repeated parts. The headers of the first page, of even pages and of other pages are mostly the same. */
function distinct(parts: Block[][]): Block[] {
  const seen = new Set<string>();
  return parts.flatMap((blocks) => {
    const text = JSON.stringify(blocks);
    if (seen.has(text)) return [];
    seen.add(text);
    return blocks;
  });
}

function wordBlocks(xml: string, boldStyleIds: Set<string>, context: ReaderContext): Block[] {
  const writer = new WordWriter(boldStyleIds);
  streamXml(
    xml,
    {
      open: (name, attributes) => writer.open(localName(name), attributes),
      close: (name) => writer.close(localName(name)),
      text: (text) => writer.text(text),
    },
    context,
  );
  return writer.finish();
}

interface Style {
  basedOn?: string;
  bold?: boolean;
}

/** Lists the ids of bold styles of a DOCX, including styles that inherit boldness from another style. */
export function boldStyles(xml: string, context: ReaderContext): Set<string> {
  const styles = new Map<string, Style>();
  let style: Style | undefined;
  streamXml(
    xml,
    {
      open: (name, attributes) => {
        const value = attributes["w:val"];
        if (name === "w:style") styles.set(attributes["w:styleId"] ?? "", (style = {}));
        if (style && name === "w:basedOn" && value) style.basedOn = value;
        if (style && name === "w:b") style.bold = isOn(attributes);
      },
      close: (name) => {
        if (localName(name) === "style") style = undefined;
      },
    },
    context,
  );
  return new Set([...styles.keys()].filter((id) => isBold(id, styles)));
}

function isBold(id: string, styles: Map<string, Style>): boolean {
  let at: string | undefined = id;
  // The limit ends the loop if styles inherit from each other in a circle.
  for (let hops = 0; at !== undefined && hops < 20; hops++) {
    const style: Style | undefined = styles.get(at);
    if (style?.bold !== undefined) return style.bold;
    at = style?.basedOn;
  }
  return false;
}
