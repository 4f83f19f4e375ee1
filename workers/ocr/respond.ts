import { type Raster, fromGraymap } from "../../src/extraction/images/raster.ts";
import type { RecogniseOptions } from "../../src/extraction/images/recogniser.ts";
import { decode } from "../../src/extraction/images/decode.ts";
import { defaultPixelLimits } from "../../src/extraction/images/limits.ts";
import { ExtractionProblem } from "../../src/extraction/problem.ts";
import { recognise } from "./recognise.ts";
import type { TesseractResources } from "./tesseract.ts";

const maxBytes = 30 * 1024 * 1024;

/**
 * Recognises the words of a picture, which is the body of `POST /?depth=Whole&languages=de,en&turn=0&page=0`. Responds
 * with a `RecognisedPage`, or with 422 and an error text if the picture cannot be read.
 */
export async function respond(request: Request, resources: TesseractResources): Promise<Response> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length > maxBytes) return refusal("The picture is too large.");
  const { options, page } = parseQuery(new URL(request.url).searchParams);
  try {
    const raster = await pageOf(bytes, page);
    return raster
      ? Response.json(await recognise(raster, options, resources))
      : refusal("The picture has no such page.");
  } catch (cause) {
    if (cause instanceof ExtractionProblem) return refusal(cause.message);
    if (cause instanceof WebAssembly.RuntimeError) return refusal("The picture cannot be read.");
    throw cause;
  }
}

const refusal = (message: string) => Response.json({ message }, { status: 422 });

async function pageOf(bytes: Uint8Array, page: number): Promise<Raster | undefined> {
  const graymap = fromGraymap(bytes);
  return graymap ?? (await decode(bytes, defaultPixelLimits, page))[0];
}

function parseQuery(query: URLSearchParams): { options: RecogniseOptions; page: number } {
  const depth = query.get("depth") === "Quick" ? "Quick" : "Whole";
  const languages = query.get("languages")?.split(",") ?? [];
  return { options: { depth, languages, turn: numberOf(query.get("turn")) % 4 }, page: numberOf(query.get("page")) };
}

const numberOf = (text: string | null) => Math.max(0, Math.floor(Number(text) || 0));
