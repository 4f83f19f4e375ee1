import * as z from "zod";
import { ModelProblem, type Ask, type LanguageModel, type Message } from "../extraction/language-model/engine.ts";
import { send } from "./egress/index.ts";
import type { Env } from "./env.ts";
import { log } from "./log.ts";

/** Whether a company lets a language model see its documents. */
export type ModelUse = "Off" | "WhenUnsure" | "Always";

const usualLimitMilliseconds = 30_000;
/** With the time the embedded engine may take this is less than the lease of a reading. */
const maxMilliseconds = 45_000;
const answerBytes = 512 * 1024;
/** Answers of Workers AI end after 256 tokens unless something is said. */
const maxTokens = 8_192;
/** Answers by a schema, and speaks the languages of Europe. */
const usualModel = "@cf/meta/llama-3.3-70b-instruct-fp8-fast";

/** The language model of this deployment, as far as a company allows it; nothing where there is none. */
export function languageModel(env: Env, use: ModelUse = "Off"): LanguageModel | undefined {
  if (use === "Off") return undefined;
  const ask = env.LLM_URL ? viaHttp(env.LLM_URL, env) : env.AI && viaBinding(env.AI, env);
  return ask && { ask: logged(ask), when: use, limitMilliseconds: limitOf(env) };
}

/** What an answer looks like at addresses that speak chat completions; Workers AI has models that answer so as well. */
const Completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) });
/** Else they say it as text, or as the object it stands for. */
const Response = z.object({ response: z.union([z.string(), z.record(z.string(), z.unknown())]) });

const viaHttp =
  (url: string, env: Env): Ask =>
  async (messages, schema, signal) => {
    const { LLM_MODEL: model, LLM_KEY: key } = env;
    const sent = await send(
      {
        url,
        method: "POST",
        headers: { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) },
        body: JSON.stringify({ model, messages, response_format: formatOf(schema), stream: false }),
      },
      env,
      { signal, answerBytes },
    );
    if (sent.error === "timeout" || signal.aborted) throw timeoutProblem();
    if (sent.error) throw new ModelProblem("model_unavailable", `The model was not reached (${sent.error}).`);
    if (sent.status !== 200) throw new ModelProblem("model_unavailable", `The model answered ${sent.status}.`);
    return textOf(parsed(sent.answer));
  };

const viaBinding =
  (ai: Pick<Ai, "run">, { LLM_MODEL: model = usualModel }: Env): Ask =>
  async (messages, schema, signal) => {
    const format = { type: "json_schema", json_schema: schema };
    const inputs = { messages, response_format: format, temperature: 0, max_tokens: maxTokens };
    const answer = await Promise.race([ai.run(model, inputs), rejectOnAbort(signal)]).catch((error: unknown) => {
      if (error instanceof ModelProblem) throw error;
      throw new ModelProblem("model_unavailable", "Workers AI did not answer.");
    });
    return textOf(answer);
  };

const formatOf = (schema: object) => ({ type: "json_schema", json_schema: { name: "found", schema } });

function textOf(answer: unknown): string {
  const completion = Completion.safeParse(answer);
  if (completion.success) return completion.data.choices[0]!.message.content;
  const { success, data } = Response.safeParse(answer);
  if (!success) throw new ModelProblem("model_malformed", "The model's answer has not the form of one.");
  return typeof data.response === "string" ? data.response : JSON.stringify(data.response);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const timeoutProblem = () => new ModelProblem("model_timeout", "The model took too long.");

const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(timeoutProblem());
    signal.addEventListener("abort", () => reject(timeoutProblem()), { once: true });
  });

/** One line for each question, and nothing in it of what was asked or answered. */
const logged =
  (ask: Ask): Ask =>
  async (messages, schema, signal) => {
    const began = Date.now();
    const line = (outcome: string) =>
      log({ what: "model", outcome, characters: lengthOf(messages), milliseconds: Date.now() - began });
    try {
      const answer = await ask(messages, schema, signal);
      line("answered");
      return answer;
    } catch (problem) {
      line(problem instanceof ModelProblem ? problem.reason : "failed");
      throw problem;
    }
  };

const lengthOf = (messages: Message[]) => messages.reduce((sum, { content }) => sum + content.length, 0);

function limitOf({ LLM_TIMEOUT_MS }: Env): number {
  const wanted = Number(LLM_TIMEOUT_MS);
  return wanted > 0 ? Math.min(wanted, maxMilliseconds) : usualLimitMilliseconds;
}
