/** The content of a small PDF, which `pdf` writes object by object. */
export interface PdfPlan {
  /** One content stream per page. */
  pages: string[];
  /** Rotation of all pages in degrees. */
  rotate?: number;
  fields?: { name: string; value: string; rect: [number, number, number, number] }[];
  attachment?: { name: string; text: string };
  /** Whether the PDF has a grey picture, which content streams can paint with `/Im1 Do`. */
  picture?: boolean;
  password?: boolean;
}

const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";
const bold = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>";

export function pdf(plan: PdfPlan): Uint8Array {
  const objects: string[] = [];
  const add = (body: string) => objects.push(body);
  const stream = (text: string, entries = "") => `<< /Length ${text.length} ${entries} >>\nstream\n${text}\nendstream`;
  add(""); // the catalogue, filled in last
  add(""); // the page tree
  const f1 = add(helvetica);
  const f2 = add(bold);
  const image = plan.picture
    ? add(
        stream(
          "\x80".repeat(100),
          "/Type /XObject /Subtype /Image /Width 10 /Height 10 /BitsPerComponent 8 /ColorSpace /DeviceGray",
        ),
      )
    : undefined;
  const fields = (plan.fields ?? []).map(({ name, value, rect }) =>
    add(
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (${name}) /V (${value}) /Rect [${rect.join(" ")}] /F 4 /DA (/F1 10 Tf 0 g) >>`,
    ),
  );
  const resources = `<< /Font << /F1 ${f1} 0 R /F2 ${f2} 0 R >> ${image ? `/XObject << /Im1 ${image} 0 R >>` : ""} >>`;
  const pages = plan.pages.map((content) => {
    const body = add(stream(content));
    const annotations = fields.length > 0 ? `/Annots [${fields.map((field) => `${field} 0 R`).join(" ")}]` : "";
    return add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Rotate ${plan.rotate ?? 0} /Resources ${resources} /Contents ${body} 0 R ${annotations} >>`,
    );
  });
  let names = "";
  if (plan.attachment) {
    const file = add(stream(plan.attachment.text, "/Type /EmbeddedFile"));
    const spec = add(
      `<< /Type /Filespec /F (${plan.attachment.name}) /UF (${plan.attachment.name}) /EF << /F ${file} 0 R >> >>`,
    );
    names = `/Names << /EmbeddedFiles << /Names [(${plan.attachment.name}) ${spec} 0 R] >> >>`;
  }
  const form = fields.length > 0 ? `/AcroForm << /Fields [${fields.map((field) => `${field} 0 R`).join(" ")}] >>` : "";
  objects[0] = `<< /Type /Catalog /Pages 2 0 R ${names} ${form} >>`;
  objects[1] = `<< /Type /Pages /Kids [${pages.map((page) => `${page} 0 R`).join(" ")}] /Count ${pages.length} >>`;
  return assemble(objects, plan.password ?? false);
}

function assemble(objects: string[], password: boolean): Uint8Array {
  let text = "%PDF-1.5\n";
  const offsets = objects.map((body, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const start = text.length;
  const key = "00".repeat(32);
  const encrypt = password
    ? `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${key}> /U <${key}> >> /ID [<${key}> <${key}>]`
    : "";
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const at of offsets) text += `${String(at).padStart(10, "0")} 00000 n \n`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${encrypt} >>\nstartxref\n${start}\n%%EOF\n`;
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0) & 0xff);
}

/** Writes the operators that paint one line of text. Positions are in points from the lower left corner. */
export function line(text: string, x: number, y: number, { size = 10, font = "F1", before = "" } = {}): string {
  return `BT ${before} /${font} ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text}) Tj ET\n`;
}
