/**
 * Measures the extraction quality. It serves the product's routes to a score script, which sends the documents and
 * compares the responses with the expected values.
 *
 * node bench/reading.ts --score SCORE_SCRIPT [--gazetteer DIR] [--today 2026-11-20] [--show] [--ocr] FOLDER... [--only
 * TEXT] [--out REPORT]
 *
 * `--show` prints the values of each document; `--ocr` enables OCR of scans. The printed times are the CPU time of the extraction,
 * without the HTTP request.
 */
import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Budget } from "../src/extraction/problem.ts";
import { kindNames, kinds, type KindName } from "../src/extraction/kinds/kinds.ts";
import type { Recognise } from "../src/extraction/images/recogniser.ts";
import { extractDocument } from "../src/extraction/extract.ts";
import { openGazetteerFromDisk } from "../scripts/gazetteer.ts";
import { shippedLabeller } from "../scripts/labeller.ts";
import { localRecogniser } from "../scripts/recogniser.ts";

const words = process.argv.slice(2);
const flag = (name: string) => words.includes(`--${name}`) && words.splice(words.indexOf(`--${name}`), 1).length > 0;
const option = (name: string, fallback: string) =>
  words.includes(`--${name}`) ? (words.splice(words.indexOf(`--${name}`), 2)[1] ?? fallback) : fallback;
const [show, ocr] = [flag("show"), flag("ocr")];
const [score, today] = [option("score", ""), option("today", "2026-11-20")];
const gazetteer = openGazetteerFromDisk(option("gazetteer", "dist/assets/gazetteer"));
const looks: { megapixels: number; seconds: number; megabytes: number }[] = [];
const recognise = ocr ? noted(await localRecogniser()) : undefined;
if (!score) throw new Error("Name the score script: --score FILE");

const answers = new Map<string, unknown>();
const times: { pages: number; milliseconds: number }[] = [];

const server = createServer((request, response) => void answer(request, response));
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  const scoring = spawn(process.execPath, [score, "--base", `http://127.0.0.1:${port}`, ...words], {
    stdio: "inherit",
  });
  scoring.on("exit", (code) => {
    const [pages, milliseconds] = [
      times.reduce((sum, time) => sum + time.pages, 0),
      times.reduce((sum, time) => sum + time.milliseconds, 0),
    ];
    console.log(
      `${pages} pages in ${Math.round(milliseconds)} ms: ${(milliseconds / Math.max(1, pages)).toFixed(1)} ms per page`,
    );
    if (looks.length > 0) console.log(sizes());
    server.close();
    process.exitCode = code ?? 1;
  });
});

/** Records time and memory of each recognition of a whole page. */
function noted(recognise: Recognise): Recognise {
  return async (picture, look) => {
    const began = process.cpuUsage();
    const seen = await recognise(picture, look);
    const { user, system } = process.cpuUsage(began);
    const megapixels = Math.ceil((seen.width * seen.height) / 1e6);
    if (look.depth === "Whole")
      looks.push({ megapixels, seconds: (user + system) / 1e6, megabytes: seen.memory / 1e6 });
    return seen;
  };
}

/**
 * Groups the recognised pages by their size in megapixels. Prints, for each group, the number of pages, and the median
 * and maximum of CPU seconds and of WebAssembly memory.
 */
function sizes(): string {
  const groups = [...Map.groupBy(looks, ({ megapixels }) => megapixels)].toSorted(([one], [other]) => one - other);
  return groups
    .map(([megapixels, group]) => {
      const figures = (["seconds", "megabytes"] as const).map((what) => {
        const sorted = group.map((look) => look[what]).toSorted((one, other) => one - other);
        return `${sorted[sorted.length >> 1]!.toFixed(1)} (${sorted.at(-1)!.toFixed(1)}) ${what}`;
      });
      return `up to ${megapixels} megapixels: ${group.length} pages, ${figures.join(", ")}`;
    })
    .join("\n");
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const id = request.url?.split("/").at(-1) ?? "";
  if (request.method === "POST") answers.set(String(answers.size), await read(request));
  const last = String(answers.size - 1);
  const body = request.method === "POST" ? { orderId: last, opportunityId: last, documentId: last } : answers.get(id);
  response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify(body ?? {}));
}

function kindOf(request: IncomingMessage, form: FormData): KindName {
  if (request.url?.includes("/opportunities")) return "opportunity";
  const type = form.get("type");
  return kindNames.find((name) => kinds[name].apiName.plural === type) ?? "order";
}

async function read(request: IncomingMessage): Promise<unknown> {
  const form = await new Response(Buffer.concat(await request.toArray()), {
    headers: { "content-type": request.headers["content-type"] ?? "" },
  }).formData();
  const file = form.get("file") as File;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const additionalInfo = form.get("AdditionalInfo");
  const began = process.cpuUsage();
  const context = {
    company: { names: [], vatCodes: [], emailDomains: [] },
    today,
    ...(typeof additionalInfo === "string" && { additionalInfo }),
  };
  const tools = { gazetteer, labeller: shippedLabeller, recognise, budget: new Budget(20_000) };
  const result = await extractDocument(kindOf(request, form), { bytes, name: file.name }, context, tools);
  const used = process.cpuUsage(began);
  times.push({ pages: result.pages, milliseconds: (used.user + used.system) / 1000 });
  if (show)
    console.log(
      JSON.stringify(
        result.items.map((item) => item.data),
        undefined,
        1,
      ),
      result.reason ?? "",
    );
  if (result.status === "Failed")
    return [{ sequenceId: 0, status: "Failed", errorCode: result.reason, message: result.message }];
  return result.items.map((item, sequenceId) => ({
    sequenceId,
    status: "Succeeded",
    orderSubType: "Regular",
    data: item.data,
  }));
}
