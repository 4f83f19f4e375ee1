/**
 * Makes a PDF with one A4 page in Helvetica. The same page always yields the same bytes.
 *
 * @param {object} page
 * @param {string} page.title
 * @param {[x: number, y: number, size: number, bold: boolean, text: string][]} page.text positions are in points from the lower
 * left corner; letters that are not in Latin-1 lose their accents
 * @param {{ x: number, y: number, width: number, height: number, fill?: number }[]} page.boxes a box is outlined, or filled with
 * the grey value `fill` from 0 to 1
 * @returns {Buffer}
 */
export function onePage({ title, text, boxes }) {
  const drawing = [...boxes.map(boxDrawn), ...text.map(textDrawn)].join("\n");
  return file([
    "<< /Type /Catalog /Pages 2 0 R /Lang (en) >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /R 5 0 R /B 6 0 R >> >> >>",
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    font("Helvetica"),
    font("Helvetica-Bold"),
    `<< /Title ${literal(title)} >>`,
  ]);
}

const font = (name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;

const textDrawn = ([x, y, size, bold, words]) =>
  `BT /${bold ? "B" : "R"} ${size} Tf ${x} ${y} Td ${literal(words)} Tj ET`;

const boxDrawn = ({ x, y, width, height, fill }) =>
  fill === undefined
    ? `0.6 G 0.5 w ${x} ${y} ${width} ${height} re S`
    : `${fill} g ${x} ${y} ${width} ${height} re f 0 g`;

const literal = (words) => `(${latin(words).replace(/[\\()]/g, "\\$&")})`;

const latin = (words) =>
  Array.from(words, (letter) => (letter <= "\u00ff" ? letter : letter.normalize("NFD").replace("\u0142", "l")[0])).join(
    "",
  );

function file(objects) {
  let body = "%PDF-1.4\n";
  const offsets = objects.map((content, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${content}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(`${body}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, "latin1");
}
