import type { LanguageModel } from "../../src/extraction/language-model/engine.ts";
import { apiClient, type ApiClient } from "./api-client.ts";
import type { ReceivedRequest, ReceiverResponse } from "./simulated-internet.ts";
import { orderLines } from "./papers/order.ts";
import { postText } from "./orders.ts";
import type { TestService } from "./service.ts";

interface Asked {
  model?: string;
  messages: { role: string; content: string }[];
  response_format: { type: string; json_schema: { name: string; schema: object } };
}

/** Parses a request to the model, which contains the numbered lines of the document. */
export function questionOf(heard: Pick<ReceivedRequest, "body">) {
  const question = JSON.parse(heard.body) as Asked;
  const content = question.messages.find(({ role }) => role === "user")?.content ?? "";
  const [boundary, ...lines] = content.split("\n").slice(0, -1);
  return {
    ...question,
    rules: question.messages[0]?.content ?? "",
    content,
    boundary: boundary ?? "",
    lines,
    /** Makes a value with references to the lines that contain these words. */
    at: (value: unknown, words: string) => ({
      value,
      lines: lines.filter((line) => line.includes(words)).map((line) => line.slice(0, line.indexOf("|"))),
    }),
  };
}

export type Question = ReturnType<typeof questionOf>;

/** Makes a response in the format of chat completions. */
export const completion = (answer: unknown): ReceiverResponse => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    choices: [
      { message: { role: "assistant", content: typeof answer === "string" ? answer : JSON.stringify(answer) } },
    ],
  }),
});

/** Simulates a model whose response depends on the request. */
export const modelAnswering =
  (read: (question: Question) => object) =>
  (heard: ReceivedRequest): ReceiverResponse =>
    completion({ found: [read(questionOf(heard))] });

/** Makes a model that finds the same in every document. */
export const modelFinding = (found: unknown): LanguageModel => ({
  ask: () => Promise.resolve(JSON.stringify({ found })),
  when: "Always",
  limitMilliseconds: 60_000,
});

interface Field {
  value: unknown;
  confidence: number;
  source: string;
  text?: string;
  page?: number;
  box?: number[];
}

export interface Extraction {
  fields: Record<string, Field>;
  checks: { name: string; passed: boolean; pointers: string[] }[];
  alternatives?: { pointer: string; value: unknown; reason: string }[];
  engine: string;
  warnings: string[];
}

export interface Read {
  status: string;
  data: {
    orderNumber?: string;
    customer: Record<string, unknown>;
    locations: Record<string, unknown>[];
    payments: Record<string, unknown>;
  };
  evidence: Extraction;
}

/** Returns a client of a new company, with the given setting of the language model. */
export async function companyWith(service: TestService, languageModel?: string): Promise<ApiClient> {
  const ask = apiClient(service, service.company().key);
  if (languageModel) await ask("PUT", "/api/v1/company", { json: { name: "Trans Beispiel", languageModel } });
  return ask;
}

export async function read(ask: ApiClient, text: string): Promise<Read> {
  const { body } = await postText(ask, text);
  const [envelope] = body.orders ?? [];
  const { body: evidence } = await ask<Extraction>("GET", `/api/v1/orders/${body.orderId}/extraction`);
  return { ...(envelope as unknown as Read), evidence };
}

let made = 0;
export const number = () => `LM-2026-${String(++made).padStart(4, "0")}`;

/** Makes the file of an order. */
export const orderFile = (text: string) => ({ bytes: new TextEncoder().encode(text), name: "order.txt" });

/** Makes an order that states every critical field clearly. */
export function clearText(): string {
  const lines = orderLines({ number: number() });
  const payer = ["Invoice to: Beispiel Zahlstelle GmbH", "Kaistraße 3, 20457 Hamburg, Germany", "VAT ID: DE136695976"];
  return [...lines.slice(0, 10), "", ...payer, "", ...lines.slice(10)].join("\n");
}

/** Makes an order whose price is in a sentence without the word "price". */
export const vagueText = () =>
  [
    ...orderLines({ number: number() }).filter((line) => !line.startsWith("Freight price")),
    "For the whole job you will see 780.00 EUR on your account, last year it was 740.00 EUR.",
  ].join("\n");
