// Measures the cost of scans. `node bench/ocr.ts` writes the figures into bench/README.md; with `--print` it only
// prints them. It first recognises pages of several sizes in this process, as the OCR Worker does. Then, without
// `--pages`, it posts a pile of fifty pages to the service (`--pile --files 1` posts one file of ten pages).
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { build } from "../scripts/build.mjs";
import { localRecogniser } from "../scripts/recogniser.ts";
import { pagesAtOnce } from "../scripts/serve.mjs";
import { defaultLimits, openDocument } from "../src/extraction/formats/open.ts";
import type { Page } from "../src/extraction/document/document.ts";
import type { RecogniseOptions } from "../src/extraction/images/recogniser.ts";
import { picturePdf } from "../src/extraction/collections/image-pdf.ts";
import type { Raster } from "../src/extraction/images/raster.ts";
import { Budget } from "../src/extraction/problem.ts";
import { jpeg } from "../test/support/pictures/jpeg.ts";
import { Chance } from "../training/chance.ts";
import { printed } from "../training/scans/print.ts";
import { scanned } from "../training/scans/scanned.ts";
import { startHost, type Host } from "./children.ts";
import { measuringConditions } from "./machine.ts";
import { median } from "./median.ts";
import { foreignDuring } from "./processes.ts";
import { table, writeFigures } from "./readme.ts";
import { requestJson, company } from "./world.ts";

const resolutions = [75, 100, 150, 200, 300, 400];
const looksEach = 3;
const { values } = parseArgs({
  options: {
    print: { type: "boolean", default: false },
    pages: { type: "boolean", default: false },
    pile: { type: "boolean", default: false },
    files: { type: "string", default: "5" },
  },
});
/** The pile: number of files, pages of each file, and resolution in dots per inch. */
const files = Number(values.files);
const [pagesEach, pileResolution] = [10, 200];

async function main(): Promise<void> {
  await build();
  const rows: string[][] = [];
  let pile = "";
  const foreign = await foreignDuring(async () => {
    const recognise = await localRecogniser();
    for (const dpi of values.pile ? [] : resolutions) {
      const raster = await scan(1, dpi);
      const bytes = await jpeg(raster);
      const quick = await looked(bytes, "Quick", recognise);
      const whole = await looked(bytes, "Whole", recognise);
      const megapixels = ((raster.width * raster.height) / 1e6).toFixed(1);
      rows.push([
        `A4 at ${dpi} dpi`,
        megapixels,
        quick.seconds,
        whole.seconds,
        whole.words,
        quick.memory,
        whole.memory,
      ]);
      console.error(rows.at(-1)!.join(", "));
    }
    if (!values.pages) pile = await takenApart();
  });
  await tell([
    measuringConditions(foreign),
    table(
      ["page", "megapixels", "quick look, s", "whole, s", "words", "quick look, MB of WebAssembly", "whole, MB"],
      rows,
    ),
    pile,
  ]);
}

/**
 * Recognises one page several times and returns the medians. CPU time equals elapsed time, because nothing else runs
 * meanwhile.
 */
async function looked(
  bytes: Uint8Array,
  depth: RecogniseOptions["depth"],
  recognise: Awaited<ReturnType<typeof localRecogniser>>,
) {
  const seconds: number[] = [];
  let [words, memory] = [0, 0];
  for (let look = 0; look < looksEach; look++) {
    const began = process.cpuUsage();
    const seen = await recognise({ bytes, page: 0 }, { depth, languages: ["en"], turn: 0 });
    const { user, system } = process.cpuUsage(began);
    seconds.push((user + system) / 1e6);
    [words, memory] = [seen.words.length, Math.max(memory, seen.memory)];
  }
  return { seconds: median(seconds).toFixed(1), words: `${words}`, memory: (memory / 2 ** 20).toFixed(0) };
}

/** Prints an invented invoice on an A4 sheet and scans it. */
async function scan(number: number, dpi: number): Promise<Raster> {
  const bytes = new TextEncoder().encode(linesOf(number).join("\n"));
  const { parts } = await openDocument({ bytes, name: "page.txt" }, defaultLimits, new Budget(60_000));
  const [page] = parts[0]!.pages;
  return scanned(printed(onA4(page!), dpi), new Chance(number), { skew: 0.5, noise: 6 });
}

function onA4(page: Page): Page {
  const [width, height, margin] = [595, 842, 45];
  const right = Math.max(...page.tokens.map(({ x1 }) => x1));
  const foot = Math.max(...page.tokens.map(({ y1 }) => y1));
  const scale = Math.min((width - 2 * margin) / right, (height - 2 * margin) / foot);
  const at = (value: number) => margin + value * scale;
  const tokens = page.tokens.map((token) => ({
    ...token,
    x0: at(token.x0),
    x1: at(token.x1),
    y0: at(token.y0),
    y1: at(token.y1),
    size: token.size * scale,
  }));
  return { ...page, width, height, tokens };
}

const linesOf = (number: number): string[] => [
  `INVOICE No. FV/${1000 + number}/2026`,
  "Page 1 of 1",
  "Issue date: 20.11.2026   Due date: 20.12.2026",
  "Seller: Vzorova Doprava s.r.o., Dlouha 27, 602 00 Brno, Czech Republic, VAT ID: CZ12345679",
  "Buyer: Beispiel Spedition GmbH, Hafenstrasse 12, 20457 Hamburg, Germany, VAT ID: DE123456788",
  ...Array.from(
    { length: 34 },
    (_, line) =>
      `${line + 1}. Transport Leipzig - Wroclaw, ${10 + line} pallets, ${450 + line} kg     ${20 + line},00 EUR`,
  ),
  "Net amount: 1 241,00 EUR",
  "VAT 23 %: 285,43 EUR",
  "Gross amount: 1 526,43 EUR",
  "Payment within 30 days to the account given above. Goods were taken over in good order and condition.",
];

async function takenApart(): Promise<string> {
  const form = new FormData();
  for (let file = 0; file < files; file++) {
    const pages: { jpeg: Uint8Array }[] = [];
    for (let page = 0; page < pagesEach; page++)
      pages.push({ jpeg: await jpeg(await scan(file * pagesEach + page, pileResolution)) });
    form.append("file", new File([Uint8Array.from(await picturePdf(pages))], `scan ${file + 1}.pdf`));
  }
  const lorry = await startHost("scanning");
  try {
    return await pileOf(lorry, form);
  } finally {
    await lorry.stop();
  }
}

async function pileOf({ urls, operatorKey }: Host, body: FormData): Promise<string> {
  const base = `${urls["lorry"]}/api/v1`;
  const operator = { authorization: `Bearer ${operatorKey}` };
  const { key } = await requestJson<{ key: string }>(`${base}/companies`, "POST", operator, company);
  const headers = { "x-api-key": key };
  const began = performance.now();
  const sent = await fetch(`${base}/document-collections/files`, { method: "POST", headers, body });
  const { collectionId } = await sent.json<{ collectionId: string }>();
  interface Pile {
    status: string;
    documents: { type: string; status: string }[];
  }
  for (;;) {
    const pile = await requestJson<Pile>(`${base}/document-collections/${collectionId}`, "GET", headers);
    if (pile.status === "Processing") {
      await sleep(500);
      continue;
    }
    const seconds = (performance.now() - began) / 1000;
    const pages = files * pagesEach;
    const invoices = pile.documents.filter(({ type }) => type === "Invoices").length;
    return `A collection of ${pages} such pages at ${pileResolution} dpi, in ${files} files: ${pile.status} after ${Math.round(seconds)} s (${(seconds / pages).toFixed(1)} s per page, ${pagesAtOnce()} pages at once), ${invoices} of ${pages} invoices found.`;
  }
}

async function tell(figures: string[]): Promise<void> {
  const text = figures.join("\n\n");
  if (values.print || values.pile) console.log(text);
  else await writeFigures("ocr", text);
}

await main();
