import { writeXlsx } from "hucre";
import { describe, expect, test } from "vitest";
import { validateUpload, sniff } from "../../../src/extraction/formats/open.ts";
import { compound, docx, msg, paragraph, storedRtf, table, xls, zip } from "../../support/files/make-office.ts";
import { line, pdf } from "../../support/files/make-pdf.ts";
import { bytesOf, mailWith, openFile, reasonOf, type Content } from "../../support/files/open-file.ts";

describe("detection of the file type", () => {
  const encryptedOffice = compound([{ name: "EncryptedPackage", content: new Uint8Array(8) }]);
  test.each<[string, Content, string]>([
    ["nothing", "", "file_empty"],
    ["blanks", " \n\t ", "file_empty"],
    ["a PDF with a password", pdf({ pages: [line("x", 1, 1)], password: true }), "file_encrypted"],
    ["a workbook with a password", encryptedOffice, "file_encrypted"],
    ["an old workbook with a password", xls([["a"]], { locked: true }), "file_encrypted"],
    ["a Windows program", "MZ\x90\0\x03\0\0\0", "unsupported_file_type"],
    ["a Linux program", "\x7fELF\x02\x01\x01", "unsupported_file_type"],
    ["a script", "#!/bin/sh\nrm -rf /\n", "unsupported_file_type"],
    ["a zip of other things", zip({ "a.txt": "x" }), "unsupported_file_type"],
    ["an old Word document", compound([{ name: "WordDocument", content: new Uint8Array(8) }]), "unsupported_file_type"],
    [
      "a HEIC picture",
      Uint8Array.from([0, 0, 0, 24, ...new TextEncoder().encode("ftypheic")]),
      "unsupported_file_type",
    ],
    ["noise", Uint8Array.from({ length: 5000 }, (_, at) => (at * at * 31) & 255), "unsupported_file_type"],
    ["a DOCX cut in half", docx(paragraph("x")).slice(0, 200), "file_unreadable"],
    ["a zip bomb", zip({ "word/document.xml": new Uint8Array(5_000_000) }), "file_unreadable"],
    ["the first bytes of a picture", Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0]), "file_unreadable"],
    ["the first bytes of a PDF", "%PDF-1.7\n1 0 obj", "file_unreadable"],
  ])("%s: %s", async (_, content, reason) => {
    expect(await reasonOf(validateUpload(bytesOf(content)))).toBe(reason);
  });

  test("the bytes decide the type; the name decides only what they leave open", () => {
    expect(sniff(pdf({ pages: [""] }), "order.txt")).toEqual({ format: "Pdf", mediaType: "application/pdf" });
    expect(sniff(bytesOf("BMW parts for Munich\nload 5"), "a.bmp").format).toBe("Text");
    expect(sniff(bytesOf("Loading, Hamburg\nUnloading, Lyon"), "order.txt").format).toBe("Text");
    expect(sniff(bytesOf("Loading, Hamburg\nUnloading, Lyon"), "order.csv").format).toBe("Csv");
  });
});

describe("hostile files end in a clear problem, and soon", () => {
  const nest = (open: string, close: string, depth = 100_000) => open.repeat(depth) + "x" + close.repeat(depth);
  const lying = () => {
    const file = docx(paragraph("x".repeat(50_000)));
    const view = new DataView(file.buffer, file.byteOffset, file.length);
    for (let at = 0; at + 46 < file.length; at++)
      if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 100, true);
    return file;
  };
  test.each<[string, () => Content, string]>([
    ["a zip bomb", () => zip({ "word/document.xml": new Uint8Array(5_000_000) }), "file_unreadable"],
    ["a zip with a false directory", lying, "file_unreadable"],
    [
      "a zip with paths outside its folder",
      () => zip({ "word/document.xml": "x", "../evil.xml": "x" }),
      "file_unreadable",
    ],
    [
      "a zip of too many entries",
      () => zip(Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`word/${at}.xml`, ""]))),
      "file_unreadable",
    ],
    [
      "a picture bomb",
      () =>
        Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 1, 0, 0, 0, 1, 0, 0]),
      "file_unreadable",
    ],
    ["deep HTML", () => nest("<div>", "</div>"), "none"],
    ["deep HTML tables", () => nest("<table><tr><td>", "</td></tr></table>", 20_000), "none"],
    ["deep XML", () => nest("<a>", "</a>"), "file_unreadable"],
    ["deep RTF", () => `{\\rtf1 ${nest("{", "}")}}`, "file_unreadable"],
    ["deep JSON", () => nest("[", "]", 5000).replace("x", "1"), "none"],
    ["wide spans", () => `<table>${`<tr><td colspan=9999999 rowspan=9999999>x</td></tr>`.repeat(500)}</table>`, "none"],
    [
      "an entity bomb",
      () => '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;&c;</a>',
      "none",
    ],
    ["more words than the limit", () => "word ".repeat(300_001), "too_many_pages"],
    ["more numbers than the limit", () => `[${"0,".repeat(3_000_000)}0]`, "too_many_pages"],
    ["more elements than the limit", () => `<a>${"<a/>".repeat(1_000_000)}</a>`, "too_many_pages"],
    ["a word without an end", () => "x".repeat(3_000_000), "none"],
    ["a compound file with a circular chain", circular, "file_unreadable"],
  ])("%s", async (_, content, reason) => {
    const began = process.cpuUsage();
    expect(await reasonOf(openFile(content()))).toBe(reason);
    expect(process.cpuUsage(began).user).toBeLessThan(5_000_000);
  });

  function circular(): Uint8Array {
    const file = msg({ subject: "x", sender: { name: "a", address: "a@b.example" }, body: "y".repeat(9000) });
    const view = new DataView(file.buffer, file.byteOffset, file.length);
    const table = (view.getUint32(76, true) + 1) * 512;
    const directory = view.getUint32(48, true);
    view.setUint32(table + directory * 4, directory, true);
    return file;
  }

  test("a reading that exceeds its time budget ends", async () => {
    expect(await reasonOf(openFile("word ".repeat(200_000), "a.txt", {}, -1))).toBe("engine_timeout");
  });

  test("damaged files throw only extraction problems", async () => {
    const sound: Content[] = [
      pdf({ pages: [line("Order 4711", 50, 700)], fields: [{ name: "a", value: "b", rect: [1, 1, 9, 9] }] }),
      docx(paragraph("Order") + table([[paragraph("a"), paragraph("b")]])),
      xls([["a", 1]]),
      await writeXlsx({ sheets: [{ name: "A", rows: [["a", 1]] }] }),
      msg({ subject: "x", sender: { name: "a", address: "a@b.example" }, rtf: storedRtf("{\\rtf1 a\\par b}") }),
      mailWith([{ name: "a.txt", type: "text/plain", content: "Order" }]),
      String.raw`{\rtf1\ansi\trowd\cellx3000\intbl A\cell\row \u324? \'b3}`,
    ];
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const outcomes = new Set<string>();
    for (let round = 0; round < 280; round++) {
      const bytes = bytesOf(sound[round % sound.length] ?? "").slice();
      for (let hit = 0; hit <= random(6); hit++) bytes[random(bytes.length)] = random(256);
      outcomes.add(await reasonOf(openFile(round % 3 === 0 ? bytes.slice(0, random(bytes.length)) : bytes)));
    }
    expect([...outcomes].filter((outcome) => outcome.startsWith("threw"))).toEqual([]);
    expect(outcomes.size).toBeGreaterThan(2);
  });
});
