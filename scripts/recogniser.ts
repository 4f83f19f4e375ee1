import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { gunzipSync } from "node:zlib";
import { RecogniserProblem, type Recognise } from "../src/extraction/images/recogniser.ts";
import { respond } from "../workers/ocr/respond.ts";
import type { MakeCore } from "../workers/ocr/tesseract-core.ts";
import type { TesseractResources } from "../workers/ocr/tesseract.ts";

/** Starts the OCR Worker's recogniser in this process, for benches. */
export async function localRecogniser(): Promise<Recognise> {
  const require = createRequire(import.meta.url);
  const core = "tesseract.js-core/tesseract-core-simd-lstm";
  const { compile } = WebAssembly as unknown as { compile: (bytes: Uint8Array) => Promise<WebAssembly.Module> };
  const parts: TesseractResources = {
    makeCore: require(`${core}.js`) as MakeCore,
    module: await compile(await readFile(require.resolve(`${core}.wasm`))),
    model: async (name) => gunzipSync(await readFile(`dist/models/${name}.traineddata.gz`)),
  };
  return async ({ bytes, page }, { depth, languages, turn }) => {
    const query = new URLSearchParams({ depth, languages: languages.join(), turn: String(turn), page: String(page) });
    const reply = await respond(new Request(`http://ocr/?${query.toString()}`, { method: "POST", body: bytes }), parts);
    const body: unknown = await reply.json();
    if (reply.status === 422) throw new RecogniserProblem((body as { message: string }).message);
    return body as Awaited<ReturnType<Recognise>>;
  };
}
