import makeCore from "tesseract.js-core/tesseract-core-simd-lstm.js";
import module from "tesseract.js-core/tesseract-core-simd-lstm.wasm";
import { respond } from "./respond.ts";
import type { TesseractResources } from "./tesseract.ts";

interface Env {
  MODELS: Fetcher;
}

/** Recognises the words of a picture. */
export default {
  fetch: (request, env) => respond(request, resourcesOf(env)),
} satisfies ExportedHandler<Env>;

const resourcesOf = (env: Env): TesseractResources => ({
  makeCore,
  module,
  model: (name) => modelOf(env, name),
});

async function modelOf({ MODELS }: Env, name: string): Promise<Uint8Array> {
  const packed = await MODELS.fetch(`http://models/${name}.traineddata.gz`);
  if (!packed.ok || !packed.body) throw new Error(`The model ${name} is missing (${packed.status}).`);
  return new Uint8Array(await new Response(packed.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}
