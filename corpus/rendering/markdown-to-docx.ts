import {
  Document,
  HeadingLevel,
  Packer,
  PageBreak,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from "docx";
import { marked, type Token, type Tokens } from "marked";
import { runsOf } from "./markdown-runs.ts";

const headings = [HeadingLevel.HEADING_1, HeadingLevel.HEADING_2, HeadingLevel.HEADING_3, HeadingLevel.HEADING_4];

export async function markdownToDocx(text: string): Promise<Uint8Array> {
  const children = marked.lexer(text).flatMap(blocksOf);
  return new Uint8Array(await Packer.toBuffer(new Document({ sections: [{ children }] })));
}

function blocksOf(token: Token): (Paragraph | Table)[] {
  switch (token.type) {
    case "heading": {
      const { depth, tokens } = token as Tokens.Heading;
      return [new Paragraph({ heading: headings[Math.min(depth, 4) - 1]!, children: textRuns(tokens) })];
    }
    case "paragraph":
      return [new Paragraph({ children: textRuns((token as Tokens.Paragraph).tokens), spacing: { after: 120 } })];
    case "list":
      return listOf(token as Tokens.List, 0);
    case "table":
      return [tableOf(token as Tokens.Table), new Paragraph({})];
    case "blockquote":
      return (token as Tokens.Blockquote).tokens.flatMap(blocksOf);
    case "hr":
      return [new Paragraph({ children: [new PageBreak()] })];
    case "space":
      return [];
    default:
      return [new Paragraph({ children: textRuns([token]) })];
  }
}

const textRuns = (tokens: Token[]): TextRun[] =>
  runsOf(tokens).flatMap(({ text, bold }) =>
    text.split("\n").map((line, at) => new TextRun({ text: line, bold, ...(at > 0 && { break: 1 }) })),
  );

function listOf({ items, ordered, start }: Tokens.List, level: number): Paragraph[] {
  return items.flatMap((item, at) => {
    const own = item.tokens.filter(({ type }) => type !== "list");
    const nested = item.tokens.filter(({ type }) => type === "list") as Tokens.List[];
    const runs = textRuns(own);
    const paragraph = ordered
      ? new Paragraph({
          children: [new TextRun(`${(Number(start) || 1) + at}. `), ...runs],
          indent: { left: 360 * (level + 1) },
        })
      : new Paragraph({ children: runs, bullet: { level } });
    return [paragraph, ...nested.flatMap((list) => listOf(list, level + 1))];
  });
}

function tableOf({ header, rows }: Tokens.Table): Table {
  const isEmpty = header.every(({ tokens }) => runsOf(tokens).length === 0);
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    rows: [...(isEmpty ? [] : [header]), ...rows].map(
      (row) =>
        new TableRow({
          children: row.map(
            ({ tokens }) => new TableCell({ children: [new Paragraph({ children: textRuns(tokens) })] }),
          ),
        }),
    ),
  });
}
