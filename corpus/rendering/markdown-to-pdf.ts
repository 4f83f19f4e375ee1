import { marked, type Token, type Tokens } from "marked";
import { newPdf } from "./pages.ts";
import { plainText, runsOf } from "./markdown-runs.ts";

const [bodySize, headingSizes] = [9.5, [16, 13, 11, 10, 10, 10]];

/** A plain letter: headings, paragraphs, lists and ruled tables; a rule starts a page. */
export async function markdownToPdf(text: string): Promise<Uint8Array> {
  const { pdf, bytes } = newPdf(50);
  for (const token of marked.lexer(text)) write(pdf, token);
  return bytes();
}

type Pdf = ReturnType<typeof newPdf>["pdf"];

function write(pdf: Pdf, token: Token): void {
  switch (token.type) {
    case "heading": {
      const { depth, tokens } = token as Tokens.Heading;
      pdf
        .font("bold")
        .fontSize(headingSizes[depth - 1]!)
        .text(plainText(tokens))
        .moveDown(0.4);
      break;
    }
    case "paragraph":
      writeRuns(pdf, (token as Tokens.Paragraph).tokens);
      pdf.moveDown(0.6);
      break;
    case "list":
      writeList(pdf, token as Tokens.List, 0);
      pdf.moveDown(0.4);
      break;
    case "table":
      writeTable(pdf, token as Tokens.Table);
      break;
    case "blockquote":
      for (const inner of (token as Tokens.Blockquote).tokens) write(pdf, inner);
      break;
    case "code":
      pdf
        .font("mono")
        .fontSize(8.5)
        .text((token as Tokens.Code).text)
        .moveDown(0.6);
      break;
    case "hr":
      pdf.addPage();
      break;
    case "space":
      break;
    default:
      pdf
        .font("plain")
        .fontSize(bodySize)
        .text(plainText([token]))
        .moveDown(0.4);
  }
}

function writeRuns(pdf: Pdf, tokens: Token[], options: { indent?: number } = {}): void {
  const runs = runsOf(tokens);
  for (const [at, { text, bold }] of runs.entries())
    pdf
      .font(bold ? "bold" : "plain")
      .fontSize(bodySize)
      .text(text, { ...options, continued: at < runs.length - 1 });
}

function writeList(pdf: Pdf, { items, ordered, start }: Tokens.List, depth: number): void {
  for (const [at, item] of items.entries()) {
    const mark = ordered ? `${(Number(start) || 1) + at}.` : "•";
    const nested = item.tokens.filter(({ type }) => type === "list") as Tokens.List[];
    const own = item.tokens.filter(({ type }) => type !== "list");
    writeRuns(pdf, [{ type: "text", raw: "", text: `${"   ".repeat(depth)}${mark} ` }, ...own]);
    for (const list of nested) writeList(pdf, list, depth + 1);
  }
}

function writeTable(pdf: Pdf, { header, rows }: Tokens.Table): void {
  const isEmpty = header.every(({ tokens }) => plainText(tokens) === "");
  const cells = [...(isEmpty ? [] : [header]), ...rows].map((row) => row.map(({ tokens }) => plainText(tokens)));
  const weights = header.map((_, column) => Math.max(4, ...cells.map((row) => Math.min(40, row[column]?.length ?? 0))));
  const whole = weights.reduce((sum, each) => sum + each, 0);
  const width = pdf.page.width - 100;
  pdf.font("plain").fontSize(8.5);
  pdf.table({
    columnStyles: weights.map((weight) => (weight / whole) * width),
    data: cells.map((row, at) =>
      row.map((text) => (at === 0 && !isEmpty ? { text, font: { src: "bold" } } : { text })),
    ),
  });
  pdf.moveDown(0.8);
}
