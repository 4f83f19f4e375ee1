import * as z from "zod";
import { RecogniserProblem, type Look, type Picture, type Recognise } from "../reading/ocr/recogniser.ts";
import type { Env } from "./env.ts";
import { log } from "./log.ts";

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

/** Reads pictures by the Worker bound as OCR, where there is one. */
export function recogniserOf({ OCR }: Env): Recognise | undefined {
  return OCR && ((picture, look) => asked(OCR, picture, look));
}

/** @throws what is a fault of ours; the queue brings the work again */
async function asked(ocr: Pick<Fetcher, "fetch">, { bytes, page }: Picture, look: Look) {
  const began = Date.now();
  const { depth, languages, turn } = look;
  const query = new URLSearchParams({ depth, languages: languages.join(), turn: String(turn), page: String(page) });
  const reply = await ocr.fetch(`http://ocr/?${query.toString()}`, { method: "POST", body: bytes });
  if (reply.status === 422) throw new RecogniserProblem(Refusal.parse(await reply.json()).message);
  if (!reply.ok) throw new Error(`The OCR Worker answered ${reply.status}.`);
  const answer = Answer.parse(await reply.json());
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
