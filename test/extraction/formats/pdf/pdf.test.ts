import { describe, expect, test } from "vitest";
import type { Page } from "../../../../src/extraction/document/document.ts";
import { line, pdf } from "../../../support/files/make-pdf.ts";
import { linesOf, openFile, reasonOf } from "../../../support/files/open-file.ts";

const empty: Page = { width: 0, height: 0, tokens: [], rulings: [], scanned: false };

describe("PDF", () => {
  const page = async (...pages: string[]) => (await openFile(pdf({ pages }))).parts[0]?.pages[0];

  test("words have their printed position, measured from the top left", async () => {
    const found = await page(line("Order No", 50, 700) + line("4711", 300, 700, { font: "F2", size: 20 }));
    expect(found).toMatchObject({ width: 600, height: 800, scanned: false });
    const [order, no, number] = found?.tokens ?? [];
    expect(order?.x0).toBeCloseTo(50, 0);
    expect(no?.x0).toBeCloseTo(50 + 25.6 + 2.8, 0);
    expect((order?.y0 ?? 0) < 100 && (order?.y1 ?? 0) > 100).toBe(true);
    expect(number).toMatchObject({ text: "4711", size: 20, bold: true });
  });

  test.each([
    ["kerned letters are one word", "BT /F1 10 Tf 50 700 Td [(Tra) 60 (ns) -20 (port)] TJ ET", ["Transport"]],
    ["a gap without a blank separates words", "BT /F1 10 Tf 50 700 Td [(Fracht) -400 (EUR)] TJ ET", ["Fracht EUR"]],
    [
      "letters positioned one by one are one word",
      line("A", 50, 700) + line("B", 56.7, 700) + line("C", 63.4, 700),
      ["ABC"],
    ],
    ["letters set apart are one word", "BT /F1 10 Tf 5 Tc 50 700 Td (ORDER) Tj ET", ["ORDER"]],
    [
      "letters placed apart are one word",
      "OR DER"
        .split("")
        .map((letter, at) => line(letter, 50 + at * 12, 700))
        .join(""),
      ["OR | DER"],
    ],
    ["letters printed twice count once", line("Total", 50, 700) + line("Total", 50.4, 700), ["Total"]],
    [
      "white letters on paper are dropped",
      `1 1 1 rg ${line("hidden", 50, 700)} 0 g ${line("seen", 50, 600)}`,
      ["seen"],
    ],
    [
      "white letters on a dark bar are kept",
      `0 0 0.5 rg 40 690 200 30 re f 1 1 1 rg ${line("Heading", 50, 700)}`,
      ["Heading"],
    ],
    [
      "letters in the colour of their bar are dropped",
      `0 0 0.5 rg 40 690 200 30 re f ${line("hidden", 50, 700)} 0 g ${line("seen", 50, 600)}`,
      ["seen"],
    ],
    [
      "letters without ink are dropped",
      line("hidden", 50, 700, { before: "3 Tr" }) + line("seen", 50, 600, { before: "0 Tr" }),
      ["seen"],
    ],
    ["tiny letters are dropped", line("hidden", 50, 700, { size: 0.5 }) + line("seen", 50, 600), ["seen"]],
    ["letters beside the page are dropped", line("hidden", 900, 700) + line("seen", 50, 600), ["seen"]],
    [
      "a note along the edge is dropped",
      `BT /F1 8 Tf 0 1 -1 0 15 100 Tm (F1) Tj ET ${line("seen", 50, 600)}`,
      ["seen"],
    ],
    [
      "a stamp across the page is dropped",
      "BT /F1 40 Tf .7 .7 -.7 .7 100 300 Tm (COPY) Tj ET\n" + line("seen", 50, 600),
      ["seen"],
    ],
  ])("%s", async (_, content, expected) => {
    expect(linesOf((await page(content)) ?? empty)).toEqual(expected);
  });

  const upright = { pages: [line("Order 4711", 50, 700) + line("Loading place Hamburg", 50, 600)] };
  test.each([
    ["turned by the viewer", { ...upright, rotate: 90 }, [600, 800]],
    [
      "printed sideways",
      { pages: ["BT /F1 10 Tf 0 1 -1 0 100 50 Tm (Order 4711) Tj 0 1 -1 0 200 50 Tm (Loading place Hamburg) Tj ET"] },
      [800, 600],
    ],
    [
      "printed upside down",
      {
        pages: ["BT /F1 10 Tf -1 0 0 -1 550 100 Tm (Order 4711) Tj -1 0 0 -1 550 200 Tm (Loading place Hamburg) Tj ET"],
      },
      [600, 800],
    ],
  ])("a page %s is read in the direction of its text", async (_, plan, size) => {
    const [found = empty] = (await openFile(pdf(plan))).parts[0]?.pages ?? [];
    expect([found.width, found.height]).toEqual(size);
    expect(linesOf(found)).toEqual(["Order 4711", "Loading place Hamburg"]);
    expect(
      found.tokens.every(({ x0, y0, x1, y1 }) => x0 >= 0 && y0 >= 0 && x1 <= found.width && y1 <= found.height),
    ).toBe(true);
  });

  test("lines, frames and bars become rulings, and pieces of one line are joined", async () => {
    const found = await page("50 500 m 150 500 l S 150 500 m 300 500 l S 50 400 250 20 re S 0.9 g 50 300 250 30 re f");
    const level = found?.rulings.filter(({ x0, x1 }) => x1 - x0 > 100) ?? [];
    expect(level.map(({ y0, y1 }) => Math.round((y0 + y1) / 2)).toSorted((a, b) => a - b)).toEqual([
      300, 380, 400, 470, 500,
    ]);
    expect(level.every(({ x0, x1, y0, y1 }) => Math.abs(x0 - 50) < 1 && Math.abs(x1 - 300) < 1 && y1 - y0 < 2)).toBe(
      true,
    );
  });

  test("a page with only a picture is a scan; its invisible text layer is kept", async () => {
    const painted = "q 600 0 0 800 0 0 cm /Im1 Do Q ";
    const layer = line("Loading in Hamburg on Monday at eight o'clock", 50, 600, { before: "3 Tr" });
    const faxed = painted + line("FROM +48 22 555 01 43 TO DISPATCH 20.11.2026 P.1", 20, 780);
    const { parts } = await openFile(
      pdf({ pages: [painted, painted + layer, faxed, line("Page four", 50, 700)], picture: true }),
    );
    expect(parts[0]?.pages.map((each) => each.scanned)).toEqual([true, false, true, false]);
    expect(parts[0]?.pages[1]?.tokens.map((token) => token.confidence)).toEqual(Array(8).fill(0.9));
  });

  test("form fields are words in their boxes, and data by name", async () => {
    const document = await openFile(
      pdf({
        pages: [line("Order", 50, 500)],
        fields: [{ name: "orderNumber", value: "4711 A", rect: [100, 495, 200, 510] }],
      }),
    );
    expect(document.parts[0]?.pages.map(linesOf)).toEqual([["Order | 4711 A"]]);
    expect(document.structured).toEqual([{ format: "Form", name: "file", text: '{"orderNumber":"4711 A"}' }]);
  });

  test("an embedded invoice is structured data, not another page", async () => {
    const text = '<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"/>';
    const document = await openFile(
      pdf({ pages: [line("Invoice", 50, 700)], attachment: { name: "factur-x.xml", text } }),
    );
    expect(document.parts).toHaveLength(1);
    expect(document.structured).toEqual([{ format: "Cii", name: "factur-x.xml", text }]);
  });

  test("a PDF with more pages than allowed is refused", async () => {
    expect(
      await reasonOf(openFile(pdf({ pages: Array(4).fill(line("Page", 50, 700)) as string[] }), "a.pdf", { pages: 3 })),
    ).toBe("too_many_pages");
  });
});
