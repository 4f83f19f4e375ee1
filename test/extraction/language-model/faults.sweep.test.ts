import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { simulateInternet, type Receiver } from "../../support/simulated-internet.ts";
import { questionOf, clearText, companyWith, completion, read, vagueText } from "../../support/language-model.ts";
import { openService, type TestService } from "../../support/service.ts";

const internet = simulateInternet();
let service: TestService;
let model: Receiver;

beforeAll(async () => {
  model = internet.address("https://models.beispiel.de/v1/chat/completions");
  service = await openService({ internet: internet.answer, vars: { LLM_URL: model.url } });
});

afterEach(() => {
  model.received.length = 0;
});

afterAll(async () => {
  internet.close();
  await service.stop();
});

const company = (languageModel?: string) => companyWith(service, languageModel);
const always = () => company("Always");

describe("a response that does not fit the schema", () => {
  test("is corrected once, by a second request that names the fault", async () => {
    model.respondWith((heard) => {
      const question = questionOf(heard);
      if (question.messages.length === 2) return completion('{"found":[{"payments":{"price":"780,00 EUR"}}]}');
      return completion(
        `Here you are:\n\`\`\`json\n${JSON.stringify({ found: [{ orderDate: null, payments: { price: question.at(780, "780.00") } }] })}\n\`\`\``,
      );
    });
    const order = await read(await always(), vagueText());
    expect(order.data.payments).toMatchObject({ price: 780 });
    const [, second] = model.received.map(questionOf);
    expect(second?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(second?.messages[3]?.content).toContain("payments.price");
    expect(model.received).toHaveLength(2);
  });

  const nonsense: [string, string][] = [
    ["no JSON", "I am sorry, I cannot read this."],
    ["another JSON", '{"orders":[]}'],
    ["a list where an object is", '{"found":[[1,2,3]]}'],
    [
      "more values than a file can contain",
      JSON.stringify({ found: [{ licensePlates: Array.from({ length: 4_000 }, () => ({ value: "X", lines: [] })) }] }),
    ],
    ["nothing but brackets", "[".repeat(100_000)],
  ];
  test.each(nonsense)("twice leaves the result of the embedded engine: %s", async (_, answer) => {
    model.respondWith(() => completion(answer));
    const text = clearText();
    const both = await read(await always(), text);
    expect(both).toMatchObject({ status: "Succeeded", data: { payments: { price: 780 } } });
    expect(both.evidence.engine).toBe("lorry-1");
    expect(both.evidence.warnings).toContainEqual(expect.stringMatching(/^model_malformed: /));
    expect(model.received).toHaveLength(2);
  });
});

test("a response deeper than any view is ignored", async () => {
  model.respondWith(() => completion(`${'{"found":['.repeat(5_000)}${"]}".repeat(5_000)}`));
  const text = clearText();
  const alone = await read(await company(), text);
  expect((await read(await always(), text)).data).toEqual(alone.data);
});

describe("a model that fails", () => {
  const failures: [string, Receiver["answer"], RegExp][] = [
    ["too many requests", () => ({ status: 429, headers: { "retry-after": "60" } }), /^model_unavailable: .*429/],
    ["a fault", () => ({ status: 500, body: "secret inner workings" }), /^model_unavailable: .*500/],
    [
      "a redirect",
      () => ({ status: 307, headers: { location: "https://models.beispiel.de/elsewhere" } }),
      /^model_unavailable: .*307/,
    ],
    ["no completion", () => ({ status: 200, body: '{"choices":[]}' }), /^model_malformed: /],
    ["no JSON", () => ({ status: 200, body: "<html>" }), /^model_malformed: /],
    ["more bytes than the limit", () => completion("a".repeat(2_000_000)), /^model_malformed: /],
  ];
  test.each(failures)("leaves the result of the embedded engine: %s", async (_, answer, warning) => {
    const elsewhere = internet.address("https://models.beispiel.de/elsewhere");
    model.respondWith(answer);
    const order = await read(await always(), clearText());
    expect(order).toMatchObject({ status: "Succeeded", data: { payments: { price: 780 } } });
    expect(order.evidence).toMatchObject({ engine: "lorry-1", warnings: [expect.stringMatching(warning)] });
    expect(JSON.stringify(order)).not.toContain("secret");
    expect(model.received).toHaveLength(1);
    expect(elsewhere.received).toHaveLength(0);
  });
});

describe("a model that takes too long", () => {
  let hasty: TestService;
  let slow: Receiver;

  beforeAll(async () => {
    slow = internet.address("https://slow.beispiel.de/v1/chat/completions");
    hasty = await openService({ internet: internet.answer, vars: { LLM_URL: slow.url, LLM_TIMEOUT_MS: "700" } });
  });

  afterAll(() => hasty.stop());

  const ways: [string, Receiver["answer"]][] = [
    ["no response", () => internet.silence()],
    ["a response letter by letter", () => ({ status: 200, body: dripping('{"choices":[{"message":') })],
  ];
  test.each(ways)("leaves the result of the embedded engine: %s", async (_, answer) => {
    slow.respondWith(answer);
    const order = await read(await companyWith(hasty, "Always"), clearText());
    expect(order).toMatchObject({ status: "Succeeded", data: { payments: { price: 780 } } });
    expect(order.evidence).toMatchObject({ engine: "lorry-1", warnings: [expect.stringMatching(/^model_timeout: /)] });
  });
});

/** Makes an endless stream that slowly sends single letters. */
function dripping(text: string): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    async pull(stream) {
      await new Promise((passed) => setTimeout(passed, 50));
      stream.enqueue(new TextEncoder().encode(text[at++ % text.length]));
    },
  });
}

test("a forbidden address of the model is not called, although the operator configured it", async () => {
  const guarded = await openService({
    internet: internet.answer,
    vars: { LLM_URL: "https://10.0.0.7/v1/chat/completions", ALLOW_PRIVATE_WEBHOOKS: "false" },
  });
  const order = await read(await companyWith(guarded, "Always"), clearText());
  expect(order.status).toBe("Succeeded");
  expect(order.evidence.warnings).toEqual([expect.stringMatching(/^model_unavailable: .*refused/)]);
  await guarded.stop();
});

describe("Workers AI", () => {
  /** A fake AI binding, whose response depends on the document. It records its requests. */
  const binding = `
    import { WorkerEntrypoint } from "cloudflare:workers";
    export class AI extends WorkerEntrypoint {
      async run(model, { messages, response_format, max_tokens }) {
        const shown = messages[1].content;
        const line = shown.split("\\n").find((each) => each.includes("780.00"));
        const price = { value: 780, lines: [line.slice(0, line.indexOf("|"))] };
        const known = model.startsWith("@cf/") && response_format.type === "json_schema" && max_tokens > 1000;
        const found = [{ payments: { ...(known && response_format.json_schema.properties.found && { price }) } }];
        if (shown.includes("as text")) return { response: JSON.stringify({ found }) };
        if (shown.includes("as a completion")) return { choices: [{ message: { content: JSON.stringify({ found }) } }] };
        if (shown.includes("as nothing")) return {};
        if (shown.includes("too late")) await new Promise((passed) => setTimeout(passed, 30_000));
        if (shown.includes("as a fault")) throw new Error("5006: secret inner workings");
        return { response: { found } };
      }
    }
    export default {};`;
  let cloud: TestService;

  beforeAll(async () => {
    cloud = await openService({ beside: { AI: binding }, vars: { LLM_TIMEOUT_MS: "3000" } });
  });

  afterAll(() => cloud.stop());

  test.each(["as an object", "as text", "as a completion"])(
    "is called through its binding and answers %s",
    async (way) => {
      const order = await read(await companyWith(cloud, "Always"), `${vagueText()}\nAnswer ${way}.`);
      expect(order.data.payments).toMatchObject({ price: 780 });
      expect(order.evidence.engine).toBe("lorry-1+model");
    },
  );

  const faults: [string, RegExp][] = [
    ["as nothing", /^model_malformed: /],
    ["as a fault", /^model_unavailable: Workers AI did not answer/],
    ["too late", /^model_timeout: /],
  ];
  test.each(faults)("that answers %s leaves the result of the embedded engine", async (way, warning) => {
    const order = await read(await companyWith(cloud, "Always"), `${clearText()}\nAnswer ${way}.`);
    expect(order).toMatchObject({ status: "Succeeded", data: { payments: { price: 780 } } });
    expect(order.evidence).toMatchObject({ engine: "lorry-1", warnings: [expect.stringMatching(warning)] });
  });
});
