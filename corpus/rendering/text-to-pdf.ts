import { newPdf } from "./pages.ts";

/** A system print: fixed width, 66 lines a page, a form feed starts a page. Wide texts are printed in landscape. */
export async function textToPdf(text: string): Promise<Uint8Array> {
  const pages = text.split("\f").map((page) => page.replace(/\n$/, "").split("\n"));
  const columns = Math.max(80, ...pages.flat().map((line) => line.length));
  const landscape = columns > 100;
  const { pdf, bytes } = newPdf(36, landscape);
  const { width, height } = pdf.page;
  const size = Math.min(10, (width - 72) / columns / 0.602);
  const lineHeight = size * 1.2;
  const linesEach = Math.min(66, Math.floor((height - 72) / lineHeight));
  pdf.font("mono").fontSize(size);
  const sheets = pages.flatMap((lines) =>
    Array.from({ length: Math.ceil(lines.length / linesEach) || 1 }, (_, at) =>
      lines.slice(at * linesEach, (at + 1) * linesEach),
    ),
  );
  for (const [at, lines] of sheets.entries()) {
    if (at > 0) pdf.addPage({ size: "A4", margin: 36, layout: landscape ? "landscape" : "portrait" });
    for (const [row, line] of lines.entries())
      if (line.trim()) pdf.text(line, 36, 36 + row * lineHeight, { lineBreak: false });
  }
  return bytes();
}
