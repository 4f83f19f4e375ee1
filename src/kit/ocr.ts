import * as z from "zod";
import {
  doubtful,
  RecogniserFault,
  RecogniserProblem,
  type Look,
  type Picture,
  type Recognise,
  type Recognised,
} from "../reading/ocr/recogniser.ts";
import type { Env } from "./env.ts";
import { sha256 } from "./ids.ts";
import { log } from "./log.ts";

/** A page takes seconds. What takes longer than this is noise, on which Tesseract sees words without end. */
const mostMilliseconds = 80_000;
/** At the whole of one page, in several languages and turned in several ways. */
const mostLooks = 20;

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

/**
 * Reads pictures by the Worker bound as OCR, where there is one. What was seen is kept in a folder of the thing that is read,
 * so that whoever reads it again, or a part of it, does not look again.
 * @param folder below which `ocr/` lies: `company/orders/id`
 */
export function recogniserOf({ OCR, FILES }: Env, folder: string): Recognise | undefined {
  if (!OCR) return undefined;
  const lookAt = async (picture: Picture, look: Look): Promise<Recognised> => {
    const key = `${folder}/ocr/${await nameOf(picture)}-${mannerOf(look)}.json`;
    return (await keptAt(FILES, key)) ?? (await keep(FILES, key, await seenBy(OCR, picture, look)));
  };
  const known = async (picture: Picture): Promise<Recognised | undefined> =>
    surestAt(FILES, `${folder}/ocr/${await nameOf(picture)}-Whole-`);
  return Object.assign(faultless(lookAt), { known: faultless(known) });
}

/** The same, throwing nothing but what says something of the picture, and faults of ours. */
const faultless =
  <Asked extends unknown[], Told>(ask: (...asked: Asked) => Promise<Told>) =>
  async (...asked: Asked): Promise<Told> => {
    try {
      return await ask(...asked);
    } catch (cause) {
      if (cause instanceof RecogniserProblem) throw cause;
      throw new RecogniserFault("The page was not read by a fault of ours.", cause);
    }
  };

const nameOf = async ({ bytes, page }: Picture): Promise<string> => `${await sha256(bytes)}-${page}`;
const mannerOf = ({ depth, languages, turn }: Look): string => [depth, languages.join("+"), turn].join("-");

async function surestAt(bucket: R2Bucket, prefix: string): Promise<Recognised | undefined> {
  const { objects } = await bucket.list({ prefix, limit: mostLooks });
  const looks = await Promise.all(objects.map(({ key }) => keptAt(bucket, key)));
  const sure = looks.flatMap((look) => (look && look.confidence >= doubtful ? [look] : []));
  return sure.toSorted((one, other) => other.confidence - one.confidence)[0];
}

async function keptAt(bucket: R2Bucket, key: string): Promise<Recognised | undefined> {
  const stored = await bucket.get(key);
  return stored ? Answer.safeParse(await stored.json()).data : undefined;
}

/** The words stand there once more as a text, in which a name is found. */
async function keep(bucket: R2Bucket, key: string, seen: Recognised): Promise<Recognised> {
  const text = seen.words.map((word) => word.text).join(" ");
  await bucket.put(key, JSON.stringify({ text, ...seen }));
  return seen;
}

/** @throws RecogniserProblem for a picture that cannot be read, and what is a fault of ours */
async function seenBy(ocr: Pick<Fetcher, "fetch">, { bytes, page }: Picture, look: Look): Promise<Recognised> {
  const began = Date.now();
  const { depth, languages, turn } = look;
  const query = new URLSearchParams({ depth, languages: languages.join(), turn: String(turn), page: String(page) });
  const { status, said } = await answered(ocr, query, bytes);
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

async function answered(
  ocr: Pick<Fetcher, "fetch">,
  query: URLSearchParams,
  body: Uint8Array,
): Promise<{ status: number; said: string }> {
  const signal = AbortSignal.timeout(mostMilliseconds);
  try {
    const reply = await ocr.fetch(`http://ocr/?${query.toString()}`, { method: "POST", body, signal });
    return { status: reply.status, said: await reply.text() };
  } catch (cause) {
    if (signal.aborted) throw new RecogniserProblem("Looking at a page took too long.");
    throw cause;
  }
}
