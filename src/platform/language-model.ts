import * as z from "zod";
import { ModelProblem, type Ask, type LanguageModel, type Message } from "../extraction/language-model/engine.ts";
import { send } from "./egress/index.ts";
import type { Env } from "./env.ts";
import { log } from "./log.ts";

/** When a language model may receive the documents of a company. */
export type ModelUse = "Off" | "WhenUnsure" | "Always";

const defaultLimitMilliseconds = 30_000;
/** The operator cannot configure a longer timeout. */
const maxMilliseconds = 45_000;
const answerBytes = 512 * 1024;
/** The default of Workers AI is 256. */
const maxTokens = 8_192;
/** It supports JSON schemas and the languages of Europe. */
const defaultModel = "@cf/meta/llama-3.3-70b-instruct-fp8-fast";

/** Returns the language model of this deployment; undefined if there is none, or the company does not allow its use. */
export function languageModel(env: Env, use: ModelUse = "Off"): LanguageModel | undefined {
  if (use === "Off") return undefined;
  const ask = env.LLM_URL ? viaHttp(env.LLM_URL, env) : env.AI && viaBinding(env.AI, env);
  return ask && { ask: logged(ask), when: use, limitMilliseconds: limitOf(env) };
}

/** The response of a chat completions API; some models of Workers AI use the same format. */
const Completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) });
/** The response of the other models of Workers AI: text, or the parsed object. */
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
  (ai: Pick<Ai, "run">, { LLM_MODEL: model = defaultModel }: Env): Ask =>
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
  if (!success) throw new ModelProblem("model_malformed", "The response of the model is malformed.");
  return typeof data.response === "string" ? data.response : JSON.stringify(data.response);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const timeoutProblem = () => new ModelProblem("model_timeout", "The model did not answer in time.");

const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(timeoutProblem());
    signal.addEventListener("abort", () => reject(timeoutProblem()), { once: true });
  });

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
  return wanted > 0 ? Math.min(wanted, maxMilliseconds) : defaultLimitMilliseconds;
}
