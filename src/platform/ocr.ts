import * as z from "zod";
import {
  lowConfidence,
  RecogniserFault,
  RecogniserProblem,
  type RecogniseOptions,
  type PageImage,
  type Recognise,
  type RecognisedPage,
} from "../extraction/images/recogniser.ts";
import type { Env } from "./env.ts";
import { sha256 } from "./ids.ts";
import { log } from "./log.ts";

/** A page normally takes seconds. If it takes longer, Tesseract recognises endless words in noise. */
const timeoutMilliseconds = 80_000;
const maxCachedResults = 20;

const Box = { x0: z.number(), y0: z.number(), x1: z.number(), y1: z.number() };

/** Validated, because the OCR Worker is deployed separately. */
const Answer = z.object({
  width: z.number().positive(),
  height: z.number().positive(),
  words: z.array(z.object({ text: z.string(), confidence: z.number(), size: z.number(), ...Box })),
  rulings: z.array(z.object(Box)),
  confidence: z.number(),
  turn: z.number(),
  memory: z.number(),
});

const Refusal = z.object({ message: z.string() });

/** Folders of records, such as `<company>/orders/<id>`. Results are cached in their folder `ocr/`. */
interface OcrFolders {
  record: string;
  /** The document collection from which the record comes. Its cached results are also used. */
  parent?: string | undefined;
}

/**
 * Creates the recogniser that calls the OCR Worker; undefined if there is none. Results are cached in the folder of the
 * record.
 * @param lease signal of the extraction's lease. Without it, or after it is aborted, no result is stored, because the
 * record may have been deleted, and later files would never be deleted.
 */
export function recogniserOf(
  { OCR, FILES }: Env,
  { record, parent }: OcrFolders,
  lease?: AbortSignal,
): Recognise | undefined {
  if (!OCR) return undefined;
  const folders = parent === undefined || parent === record ? [record] : [record, parent];
  const recognise = async (picture: PageImage, options: RecogniseOptions): Promise<RecognisedPage> => {
    const name = `${await nameOf(picture)}-${optionsKeyOf(options)}.json`;
    for (const folder of folders) {
      const cached = await readCached(FILES, `${folder}/ocr/${name}`);
      if (cached) return cached;
    }
    lease?.throwIfAborted();
    const result = await callOcr(OCR, picture, options);
    lease?.throwIfAborted();
    if (lease) await storeResult(FILES, `${record}/ocr/${name}`, result);
    return result;
  };
  const cached = async (picture: PageImage): Promise<RecognisedPage | undefined> => {
    const name = await nameOf(picture);
    const results = await Promise.all(
      folders.map((folder) => readCachedResults(FILES, `${folder}/ocr/${name}-Whole-`)),
    );
    return mostConfidentOf(results.flat());
  };
  return Object.assign(withFaults(recognise), { cached: withFaults(cached) });
}

const withFaults =
  <Arguments extends unknown[], Result>(act: (...args: Arguments) => Promise<Result>) =>
  async (...args: Arguments): Promise<Result> => {
    try {
      return await act(...args);
    } catch (cause) {
      if (cause instanceof RecogniserProblem) throw cause;
      throw new RecogniserFault("OCR of the page failed because of an internal error.", cause);
    }
  };

const nameOf = async ({ bytes, page }: PageImage): Promise<string> => `${await sha256(bytes)}-${page}`;
const optionsKeyOf = ({ depth, languages, turn }: RecogniseOptions): string =>
  [depth, languages.join("+"), turn].join("-");

async function readCachedResults(bucket: R2Bucket, prefix: string): Promise<RecognisedPage[]> {
  const { objects } = await bucket.list({ prefix, limit: maxCachedResults });
  const results = await Promise.all(objects.map(({ key }) => readCached(bucket, key)));
  return results.filter((result) => result !== undefined);
}

const mostConfidentOf = (results: RecognisedPage[]): RecognisedPage | undefined =>
  results
    .filter(({ confidence }) => confidence >= lowConfidence)
    .toSorted((one, other) => other.confidence - one.confidence)[0];

async function readCached(bucket: R2Bucket, key: string): Promise<RecognisedPage | undefined> {
  const stored = await bucket.get(key);
  return stored ? Answer.safeParse(await stored.json()).data : undefined;
}

/** The words are also stored as one text, in which a search finds the name of a person. */
async function storeResult(bucket: R2Bucket, key: string, result: RecognisedPage): Promise<void> {
  const text = result.words.map((word) => word.text).join(" ");
  await bucket.put(key, JSON.stringify({ text, ...result }));
}

/** @throws RecogniserProblem if the picture cannot be read; other errors are internal */
async function callOcr(
  ocr: Pick<Fetcher, "fetch">,
  { bytes, page }: PageImage,
  options: RecogniseOptions,
): Promise<RecognisedPage> {
  const began = Date.now();
  const { depth, languages, turn } = options;
  const query = new URLSearchParams({ depth, languages: languages.join(), turn: String(turn), page: String(page) });
  const { status, text } = await fetchText(ocr, query, bytes);
  if (status === 422) throw new RecogniserProblem(Refusal.parse(JSON.parse(text)).message);
  if (status !== 200) throw new Error(`The OCR Worker answered ${status}.`);
  const answer = Answer.parse(JSON.parse(text));
  log({
    what: "ocr",
    depth,
    languages: languages.join(),
    words: answer.words.length,
    confidence: Math.round(answer.confidence * 100) / 100,
    memory: answer.memory,
    milliseconds: Date.now() - began,
  });
  return answer;
}

async function fetchText(
  ocr: Pick<Fetcher, "fetch">,
  query: URLSearchParams,
  body: Uint8Array,
): Promise<{ status: number; text: string }> {
  const signal = AbortSignal.timeout(timeoutMilliseconds);
  try {
    const reply = await ocr.fetch(`http://ocr/?${query.toString()}`, { method: "POST", body, signal });
    return { status: reply.status, text: await reply.text() };
  } catch (cause) {
    if (signal.aborted) throw new RecogniserProblem("OCR of a page took too long.");
    throw cause;
  }
}
