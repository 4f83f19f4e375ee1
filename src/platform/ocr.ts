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

/** A page takes seconds. What takes longer than this is noise, on which Tesseract sees words without end. */
const timeoutMilliseconds = 80_000;
/** At the whole of one page, in several languages and turned in several ways. */
const maxCachedResults = 20;

const Box = { x0: z.number(), y0: z.number(), x1: z.number(), y1: z.number() };

/** What the OCR Worker answers; it is of the same release, but it is deployed apart. */
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

/** Folders below which `ocr/` lies: `company/orders/id`. */
interface OcrFolders {
  /** Of the thing that is read. */
  record: string;
  /** Of the thing that it is a part of. */
  parent?: string | undefined;
}

/**
 * Reads pictures by the Worker bound as OCR, where there is one. What was seen is kept in the folder of the thing that is
 * read, so that a second reading of it, or of a part of it, does not look again.
 * @param lease the signal of the lease under which the thing is read. Nothing is kept after it is aborted, and nothing at all
 * without it: the thing may be deleted by then, and nobody would delete what is kept later
 */
export function recogniserOf(
  { OCR, FILES }: Env,
  { record, parent }: OcrFolders,
  lease?: AbortSignal,
): Recognise | undefined {
  if (!OCR) return undefined;
  const folders = parent === undefined || parent === record ? [record] : [record, parent];
  const lookAt = async (picture: PageImage, look: RecogniseOptions): Promise<RecognisedPage> => {
    const name = `${await nameOf(picture)}-${optionsKeyOf(look)}.json`;
    for (const folder of folders) {
      const kept = await readCached(FILES, `${folder}/ocr/${name}`);
      if (kept) return kept;
    }
    lease?.throwIfAborted();
    const seen = await callOcr(OCR, picture, look);
    lease?.throwIfAborted();
    if (lease) await storeResult(FILES, `${record}/ocr/${name}`, seen);
    return seen;
  };
  const known = async (picture: PageImage): Promise<RecognisedPage | undefined> => {
    const name = await nameOf(picture);
    const looks = await Promise.all(folders.map((folder) => readCachedResults(FILES, `${folder}/ocr/${name}-Whole-`)));
    return mostConfidentOf(looks.flat());
  };
  return Object.assign(withFaults(lookAt), { cached: withFaults(known) });
}

/** The same, throwing nothing but what says something of the picture, and faults of ours. */
const withFaults =
  <Asked extends unknown[], Told>(ask: (...asked: Asked) => Promise<Told>) =>
  async (...asked: Asked): Promise<Told> => {
    try {
      return await ask(...asked);
    } catch (cause) {
      if (cause instanceof RecogniserProblem) throw cause;
      throw new RecogniserFault("The page was not read by a fault of ours.", cause);
    }
  };

const nameOf = async ({ bytes, page }: PageImage): Promise<string> => `${await sha256(bytes)}-${page}`;
const optionsKeyOf = ({ depth, languages, turn }: RecogniseOptions): string =>
  [depth, languages.join("+"), turn].join("-");

async function readCachedResults(bucket: R2Bucket, prefix: string): Promise<RecognisedPage[]> {
  const { objects } = await bucket.list({ prefix, limit: maxCachedResults });
  const looks = await Promise.all(objects.map(({ key }) => readCached(bucket, key)));
  return looks.filter((look) => look !== undefined);
}

const mostConfidentOf = (looks: RecognisedPage[]): RecognisedPage | undefined =>
  looks
    .filter(({ confidence }) => confidence >= lowConfidence)
    .toSorted((one, other) => other.confidence - one.confidence)[0];

async function readCached(bucket: R2Bucket, key: string): Promise<RecognisedPage | undefined> {
  const stored = await bucket.get(key);
  return stored ? Answer.safeParse(await stored.json()).data : undefined;
}

/** The words stand there once more as a text, in which a name is found. */
async function storeResult(bucket: R2Bucket, key: string, seen: RecognisedPage): Promise<void> {
  const text = seen.words.map((word) => word.text).join(" ");
  await bucket.put(key, JSON.stringify({ text, ...seen }));
}

/** @throws RecogniserProblem for a picture that cannot be read, and what is a fault of ours */
async function callOcr(
  ocr: Pick<Fetcher, "fetch">,
  { bytes, page }: PageImage,
  look: RecogniseOptions,
): Promise<RecognisedPage> {
  const began = Date.now();
  const { depth, languages, turn } = look;
  const query = new URLSearchParams({ depth, languages: languages.join(), turn: String(turn), page: String(page) });
  const { status, said } = await fetchText(ocr, query, bytes);
  if (status === 422) throw new RecogniserProblem(Refusal.parse(JSON.parse(said)).message);
  if (status !== 200) throw new Error(`The OCR Worker answered ${status}.`);
  const answer = Answer.parse(JSON.parse(said));
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
): Promise<{ status: number; said: string }> {
  const signal = AbortSignal.timeout(timeoutMilliseconds);
  try {
    const reply = await ocr.fetch(`http://ocr/?${query.toString()}`, { method: "POST", body, signal });
    return { status: reply.status, said: await reply.text() };
  } catch (cause) {
    if (signal.aborted) throw new RecogniserProblem("Looking at a page took too long.");
    throw cause;
  }
}
