import makeCore from "tesseract.js-core/tesseract-core-simd-lstm.js";
import module from "tesseract.js-core/tesseract-core-simd-lstm.wasm";
import { respond } from "./respond.ts";
import type { TesseractResources } from "./tesseract.ts";

interface Env {
  MODELS: Fetcher;
}

/** A picture comes in, its words go out. */
export default {
  fetch: (request, env) => respond(request, partsOf(env)),
} satisfies ExportedHandler<Env>;

const partsOf = (env: Env): TesseractResources => ({
  makeCore,
  module,
  model: (name) => modelOf(env, name),
});

async function modelOf({ MODELS }: Env, name: string): Promise<Uint8Array> {
  const packed = await MODELS.fetch(`http://models/${name}.traineddata.gz`);
  if (!packed.ok || !packed.body) throw new Error(`The model ${name} is not there (${packed.status}).`);
  return new Uint8Array(await new Response(packed.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}
