import { writeOds, writeXlsx } from "hucre";
import { describe, expect, test } from "vitest";
import { docx, msg, paragraph, table, xls } from "../../support/files/make-office.ts";
import { htmlMail, linesOf, openFile, read, type Content } from "../../support/files/open-file.ts";

const latin2 = (text: string) =>
  Uint8Array.from(text, (letter) => ({ ł: 0xb3, ó: 0xf3, ń: 0xf1, ż: 0xbf, ę: 0xea })[letter] ?? letter.charCodeAt(0));

describe("every format is read into words", () => {
  const expected = ["Order 4711", "Poznań | 24.11.2026"];
  const grid = [["Order 4711"], ["Poznań", "24.11.2026"]];
  const cases: [format: string, content: () => Content | Promise<Content>][] = [
    ["Text", () => "Order 4711\nPoznań    24.11.2026"],
    ["Html", () => "<html><body><p>Order 4711</p><table><tr><td>Poznań<td>24.11.2026</table></body></html>"],
    ["Eml", () => htmlMail("<p>Order 4711</p><table><tr><td>Poznań</td><td>24.11.2026</td></tr></table>")],
    ["Docx", () => docx(paragraph("Order 4711") + table([[paragraph("Poznań"), paragraph("24.11.2026")]]))],
    ["Xlsx", () => writeXlsx({ sheets: [{ name: "A", rows: grid }] })],
    ["Ods", () => writeOds({ sheets: [{ name: "A", rows: grid }] })],
    ["Xls", () => xls(grid)],
    ["Csv", () => "Order 4711;\nPoznań;24.11.2026\n"],
    [
      "Rtf",
      () =>
        String.raw`{\rtf1\ansi Order 4711\par\trowd\cellx4000\cellx8000\intbl Pozna\u324?\cell 24.11.2026\cell\row}`,
    ],
    [
      "Msg",
      () =>
        msg({
          subject: "x",
          sender: { name: "A", address: "a@b.example" },
          html: "<p>Order 4711</p><table><tr><td>Poznań<td>24.11.2026</table>",
        }),
    ],
  ];
  test.each(cases)("%s", async (format, content) => {
    const document = await openFile(await content(), format === "Csv" ? "list.csv" : "file");
    expect(document.format).toBe(format);
    expect(document.parts.flatMap((part) => part.pages.flatMap(linesOf))).toEqual(expected);
  });

  test("words contain no white space and have boxes in the order of the text", async () => {
    const { parts } = await openFile("  Order\t4711 x");
    expect(
      parts[0]?.pages[0]?.tokens.map(({ text, x0, x1, y0, y1, source }) => ({ text, x0, x1, y0, y1, source })),
    ).toEqual([
      { text: "Order", x0: 12, x1: 42, y0: 1, y1: 11, source: "Text" },
      { text: "4711", x0: 48, x1: 72, y0: 1, y1: 11, source: "Text" },
      { text: "x", x0: 78, x1: 84, y0: 1, y1: 11, source: "Text" },
    ]);
  });
});

describe("plain text", () => {
  test.each([
    ["UTF-8 with a byte order mark", new TextEncoder().encode("\uFEFFZaładunek"), "Załadunek"],
    [
      "UTF-16 with a byte order mark",
      Uint8Array.from([0xff, 0xfe, ...[..."Łódź 1"].flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8])]),
      "Łódź 1",
    ],
    [
      "UTF-16 without a byte order mark",
      Uint8Array.from([..."Ladestelle 1"].flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8])),
      "Ladestelle 1",
    ],
    ["Central European", latin2("Załadunek: Poznań, należność"), "Załadunek: Poznań, należno"],
    [
      "Western European",
      Uint8Array.from("Straße für Güter, chargement à Béziers", (c) => c.charCodeAt(0)),
      "Straße für Güter, chargement à Béziers",
    ],
    [
      "Cyrillic",
      Uint8Array.from("Погрузка: Київ", (c) => (c > "\u0400" ? cyrillic(c) : c.charCodeAt(0))),
      "Погрузка: Київ",
    ],
    [
      "Baltic",
      Uint8Array.from(
        "Pakrovimas: Šiauliai, Kėdainių g. 5, Panevėžys",
        (c) => ({ Š: 0xd0, ė: 0xeb, ų: 0xf8, ž: 0xfe })[c] ?? c.charCodeAt(0),
      ),
      "Pakrovimas: Šiauliai, Kėdainių g. 5, Panevėžys",
    ],
  ])("%s is decoded", async (_, bytes, expected) => {
    expect((await read(bytes)).join("")).toContain(expected.slice(0, 24));
  });

  test("ligatures are expanded and soft hyphens removed, diacritics and digits kept", async () => {
    expect(await read("o\uFB03ce Trans\u00ADport Z\u0301ródło m² ½ 5\u00A0000")).toEqual([
      "office Transport Źródło m² ½ 5 000",
    ]);
  });

  test("prose is wrapped, printed tables are not, form feeds begin pages", async () => {
    const prose = "word ".repeat(60).trim();
    const { parts } = await openFile(`${prose}\f${"x".repeat(80)}    ${"y".repeat(50)}`);
    const [first, second] = parts[0]?.pages ?? [];
    expect(first && linesOf(first)).toHaveLength(3);
    expect(second?.width).toBe(134 * 6);
  });
});

function cyrillic(letter: string): number {
  return { ї: 0xbf, К: 0xca, и: 0xe8, в: 0xe2 }[letter] ?? letter.charCodeAt(0) - 0x410 + 0xc0;
}

describe("HTML", () => {
  test.each([
    ["scripts and styles", "<script>a()</script><style>p{}</style><p>seen</p>", ["seen"]],
    [
      "hidden elements",
      '<p style="display:none">a</p><p hidden>b</p><div style="font-size:0">c</div><p>seen</p>',
      ["seen"],
    ],
    [
      "classes hidden by a style sheet",
      "<style>.x{display:none} @media (max-width:600px){.y{display:none}}</style><p class=x>a</p><p class=y>seen</p>",
      ["seen"],
    ],
    [
      "white letters on white",
      '<p style="color:#FFF">a</p><div style="background:#000;color:white">seen</div>',
      ["seen"],
    ],
    ["prices that are struck through", "<p>EUR <s>1200</s> 1100</p>", ["EUR 1100"]],
    ["repeated blanks", "<p>a\n   b</p><pre>c   d</pre>", ["a b", "c | d"]],
    ["line breaks", "<div>a<br>b<br></div><div>c</div>", ["a", "b", "c"]],
    ["words in several elements", "<p>Za<b>ładu</b>nek &amp; co</p>", ["Załadunek & co"]],
  ])("%s", async (_, html, expected) => {
    expect(await read(`<html><body>${html}</body></html>`)).toEqual(expected);
  });

  test.each([
    ["paragraphs", "<p>a</p><p>b</p>", [0, 2]],
    ["lines that a word processor wrote as paragraphs", "<p class=MsoNormal>a</p><p class=MsoNormal>b</p>", [0, 1]],
    ["paragraphs without a margin", "<p style='margin:0'>a</p><p style='margin:0'>b</p>", [0, 1]],
    ["an empty line", "<div>a</div><div><br></div><div>b</div>", [0, 2]],
    ["an empty paragraph", "<p class=MsoNormal>a</p><p class=MsoNormal>&nbsp;</p><p class=MsoNormal>b</p>", [0, 2]],
  ])("%s have the right vertical positions", async (_, html, expected) => {
    const { parts } = await openFile(`<html><body>${html}</body></html>`);
    expect(parts[0]?.pages[0]?.tokens.map((token) => (token.y0 - 1) / 12)).toEqual(expected);
  });

  test("cells of a table have row and column, those of a one-column layout table do not", async () => {
    const inner = "<table><tr><th>Place<th>Date<tr><td rowspan=2>Łódź<td>24.11.<tr><td>25.11.</table>";
    const { parts } = await openFile(`<html><body><table><tr><td>Letterhead ${inner}</td></tr></table></body></html>`);
    const cells = parts[0]?.pages[0]?.tokens.map(
      ({ text, cell }) => `${text} ${cell ? `${cell.row},${cell.column}` : "-"}`,
    );
    expect(cells).toEqual(["Letterhead -", "Place 0,0", "Date 0,1", "Łódź 1,0", "24.11. 1,1", "25.11. 2,1"]);
  });
});

describe("office documents", () => {
  test.each([
    [
      "deleted words",
      "<w:p><w:r><w:t>new</w:t></w:r><w:del><w:r><w:delText>old</w:delText></w:r></w:del></w:p>",
      ["new"],
    ],
    ["hidden words", paragraph("hidden", "<w:vanish/>") + paragraph("seen"), ["seen"]],
    ["words that are struck through", paragraph("1200", "<w:strike/>") + paragraph("1100"), ["1100"]],
    [
      "white words",
      paragraph("hidden", '<w:color w:val="FFFFFF"/>') +
        paragraph("seen", '<w:color w:val="FFFFFF"/><w:shd w:fill="000000"/>'),
      ["seen"],
    ],
    [
      "words in several runs",
      "<w:p><w:r><w:t>Za</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>ładunek</w:t></w:r></w:p>",
      ["Załadunek"],
    ],
    ["tabs", "<w:p><w:r><w:t>Price</w:t><w:tab/><w:t>900</w:t></w:r></w:p>", ["Price | 900"]],
    [
      "tick boxes",
      "<w:p><w:r><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData></w:r><w:r><w:t>ADR</w:t></w:r><w:sdtPr><w14:checkbox><w14:checked/></w14:checkbox></w:sdtPr><w:r><w:t> ☐ FRIGO</w:t></w:r></w:p>",
      ["X ADR ☐ FRIGO"],
    ],
    ["field codes", "<w:p><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:t>1</w:t></w:r></w:p>", ["1"]],
    [
      "text boxes",
      "<w:p><w:r><w:t>body</w:t><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>",
      ["body", "box"],
    ],
    [
      "tables in tables",
      table([[paragraph("a"), table([[paragraph("b"), paragraph("c")]]) + paragraph("")]]),
      ["a | b | c"],
    ],
  ])("DOCX: %s", async (_, body, expected) => {
    expect(await read(docx(body))).toEqual(expected);
  });

  test("DOCX: the header comes once before the body, the footer after it", async () => {
    const parts = {
      "header1.xml": paragraph("Spedition"),
      "header2.xml": paragraph("Spedition"),
      "footer1.xml": paragraph("Registered in Łódź"),
    };
    expect(await read(docx(paragraph("Order"), parts))).toEqual(["Spedition", "Order", "Registered in Łódź"]);
  });

  test("XLSX: visible sheets are pages; dates, units and merged cells are read as displayed", async () => {
    const shown = {
      name: "Order",
      rows: [
        ["TRANSPORT ORDER WITH A LONG TITLE", null, null],
        ["Date", new Date(Date.UTC(2026, 10, 25, 6, 30)), new Date(Date.UTC(2026, 10, 25))],
        ["Price", 1450.5, "secret"],
      ],
      cells: new Map([
        ["2,1", { value: 1450.5, style: { numFmt: '#,##0.00 "EUR"' } }],
        ["2,2", { value: "secret", style: { font: { color: { rgb: "FFFFFF" } } } }],
      ]),
      merges: [{ startRow: 0, startCol: 0, endRow: 0, endCol: 2 }],
    };
    const file = await writeXlsx({ sheets: [shown, { name: "Lists", rows: [["Secret"]], hidden: true }] });
    const { parts } = await openFile(file);
    expect(parts[0]?.pages.map(linesOf)).toEqual([
      ["TRANSPORT ORDER WITH A LONG TITLE", "Date | 2026-11-25 06:30 | 2026-11-25", "Price | 1450.5 EUR"],
    ]);
    expect(parts[0]?.pages[0]?.tokens.find((token) => token.text === "1450.5")).toMatchObject({
      source: "Cell",
      cell: { table: 0, row: 2, column: 1 },
    });
  });

  test("RTF: hidden text, pictures and properties are left out, rows with different columns stay aligned", async () => {
    const rtf = String.raw`{\rtf1\ansi\ansicpg1250{\info{\title Secret}}{\pict 00ff}{\v hidden}Zlecenie\par
\trowd\cellx3000\cellx9000\intbl A\cell B\cell\row\trowd\cellx3000\cellx6000\cellx9000\intbl C\cell D\cell E\cell\row\pard Koniec {\*\unknown Secret}}`;
    const { parts } = await openFile(rtf);
    expect(parts[0]?.pages.flatMap(linesOf)).toEqual(["Zlecenie", "A | B", "C | D | E", "Koniec"]);
    const column = (text: string) => parts[0]?.pages[0]?.tokens.find((token) => token.text === text)?.x0;
    expect(column("B")).toBe(column("D"));
  });
});

describe("structured data", () => {
  test.each([
    [
      "CII",
      '<?xml version="1.0"?><rsm:CrossIndustryInvoice xmlns:rsm="x"><ID>4711</ID></rsm:CrossIndustryInvoice>',
      "Xml",
      "Cii",
    ],
    [
      "UBL",
      '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID>4711</ID></Invoice>',
      "Xml",
      "Ubl",
    ],
    [
      "other XML",
      '<?xml version="1.0" encoding="UTF-8"?><order><loadingPlace city="Łódź">4711</loadingPlace></order>',
      "Xml",
      "Xml",
    ],
    ["EDIFACT", "UNA:+.? 'UNB+UNOC:3+A+B'UNH+1+IFTMIN:D:04A:UN'FTX+AAI+++it?'s 4711'UNT+3+1'", "Edi", "Edifact"],
    [
      "X12",
      `ISA*00*          *00*          *ZZ*A              *ZZ*B              *261120*1000*U*00401*000000001*0*P*>~GS*SM~B2**4711~`,
      "Edi",
      "X12",
    ],
    ["Open Trip Model", '{"entityType":"trip","id":"4711"}', "Json", "Otm"],
  ])("%s is kept as data and can be read as text", async (_, text, format, structured) => {
    const document = await openFile(text);
    expect(document).toMatchObject({ format, structured: [{ format: structured, text }] });
    expect(document.parts[0]?.pages.flatMap(linesOf).join(" ")).toContain("4711");
  });

  test("element names are split into words", async () => {
    expect(await read("<order><loadingPlace city='Łódź'>Gate 3</loadingPlace></order>")).toEqual([
      "order",
      "loading Place: Gate 3",
      "city: Łódź",
    ]);
  });
});
