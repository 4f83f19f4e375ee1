import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openService, type TestService } from "../support/service.ts";

const guide = await readFile("docs/guides/webhooks.md", "utf8");
const sourceIn = (language: string) => new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "ms").exec(guide)![1]!;

/** The arguments of `verify`, in the order that the guide uses. */
type Request = [secret: string, id: string, timestamp: string, signatures: string, body: string];

const body = '{"type":"OrderProcessed","data":{"city":"Wrocław"}}';
const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const secret = newSecret();
const now = Math.floor(Date.now() / 1000);

function requestSigned(secrets: string[], atSeconds = now): Request {
  const signatures = secrets.map((each) => new Webhook(each).sign("msg_1", new Date(atSeconds * 1000), body));
  return [secret, "msg_1", String(atSeconds), signatures.join(" "), body];
}

const signed = requestSigned([secret]);
const withChanges = (changes: Partial<Record<0 | 1 | 2 | 3 | 4, string>>) =>
  signed.map((value, at) => changes[at as 0] ?? value) as Request;
const requests: { name: string; request: Request; accepted: boolean }[] = [
  { name: "signed", request: signed, accepted: true },
  {
    name: "signed with an old and a new secret",
    request: requestSigned([newSecret(), secret]),
    accepted: true,
  },
  { name: "signed with another secret", request: requestSigned([newSecret()]), accepted: false },
  { name: "another body", request: withChanges({ 4: body.replace("Wrocław", "Poznań") }), accepted: false },
  { name: "another id", request: withChanges({ 1: "msg_2" }), accepted: false },
  { name: "another version", request: withChanges({ 3: signed[3].replace("v1,", "v2,") }), accepted: false },
  { name: "a truncated signature", request: withChanges({ 3: signed[3].slice(0, -6) }), accepted: false },
  { name: "ten minutes old", request: requestSigned([secret], now - 600), accepted: false },
  { name: "from the future", request: requestSigned([secret], now + 600), accepted: false },
  { name: "no timestamp", request: withChanges({ 2: "now" }), accepted: false },
];

/** How to run the guide's code in each language. `verdicts` returns the result for each request, in order. */
const runtimes: Record<string, { needs: string; verdicts: (folder: string) => Promise<boolean[]> }> = {
  js: {
    needs: "node",
    async verdicts(folder) {
      const file = join(folder, "verify.mjs");
      await writeFile(file, sourceIn("js"));
      const { verify } = (await import(pathToFileURL(file).href)) as { verify: (...request: Request) => boolean };
      return requests.map(({ request }) => verify(...request));
    },
  },
  python: {
    needs: "python3",
    async verdicts(folder) {
      const main = `import json, sys\nprint(json.dumps([verify(*r[:4], r[4].encode()) for r in json.load(sys.stdin)]))`;
      await writeFile(join(folder, "verify.py"), `${sourceIn("python")}\n${main}\n`);
      return answerOf("python3", [join(folder, "verify.py")]);
    },
  },
  php: {
    needs: "php",
    async verdicts(folder) {
      const main = `echo json_encode(array_map(fn($r) => verify(...$r), json_decode(file_get_contents('php://stdin'))));`;
      await writeFile(join(folder, "verify.php"), `${sourceIn("php")}\n${main}\n`);
      return answerOf("php", [join(folder, "verify.php")]);
    },
  },
  java: {
    needs: "javac",
    async verdicts(folder) {
      await writeFile(join(folder, "WebhookSignature.java"), sourceIn("java"));
      await writeFile(
        join(folder, "Main.java"),
        `public class Main { public static void main(String[] a) throws Exception { var out = new java.util.ArrayList<Boolean>();
         for (int i = 0; i < a.length; i += 5) out.add(WebhookSignature.verify(a[i], a[i + 1], a[i + 2], a[i + 3],
           new String(java.util.Base64.getDecoder().decode(a[i + 4]), java.nio.charset.StandardCharsets.UTF_8)));
         System.out.print(out); } }`,
      );
      execFileSync("javac", ["-d", folder, join(folder, "WebhookSignature.java"), join(folder, "Main.java")]);
      const inBase64 = requests.flatMap(({ request }) => [
        ...request.slice(0, 4),
        Buffer.from(request[4]).toString("base64"),
      ]);
      return answerOf("java", ["-cp", folder, "Main", ...inBase64]);
    },
  },
};

function answerOf(command: string, args: string[]): boolean[] {
  const input = JSON.stringify(requests.map(({ request }) => request));
  return JSON.parse(execFileSync(command, args, { input, encoding: "utf8" })) as boolean[];
}

const isInstalled = (command: string) => {
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

const installed = Object.entries(runtimes).filter(([, { needs }]) => needs === "node" || isInstalled(needs));

test.each(installed)(
  "the verification code in %s accepts exactly what is signed and recent",
  async (_, { verdicts }) => {
    const actual = await verdicts(await mkdtemp(join(tmpdir(), "verify-")));
    expect(requests.map(({ name }, at) => [name, actual[at]])).toEqual(
      requests.map(({ name, accepted }) => [name, accepted]),
    );
  },
);

/**
 * The steps that the code must contain, each with a pattern for all languages. This also checks code whose runtime is
 * missing.
 */
const steps: Record<string, RegExp> = {
  "refuses old and future timestamps": /abs\(.*300|age <= 300/is,
  "strips the prefix of the secret": /whsec_/,
  "decodes the key": /b64decode|base64_decode|getDecoder|FromBase64String|"base64"/,
  "uses HMAC-SHA-256": /sha-?256/i,
  "signs id, timestamp and body": /id.{1,9}timestamp.{1,12}body|\{id\}\.\{timestamp\}\./s,
  "goes through all signatures": /(split|explode)\(.*' '|split\(" "\)/i,
  "takes version 1 only": /v1/,
  "compares in constant time": /timingSafeEqual|compare_digest|hash_equals|isEqual|FixedTimeEquals/,
};

test.each(["js", "python", "php", "java", "csharp"])("the verification code in %s has every step", (language) => {
  const source = sourceIn(language);
  expect(Object.keys(steps).filter((step) => !steps[step]!.test(source))).toEqual([]);
});

let service: TestService;
beforeAll(async () => {
  service = await openService({ vars: { LOCAL_MAIL: "true" } });
});
afterAll(() => service.stop());

test("guides are served, and every link in them leads somewhere", async () => {
  const pages = new Map<string, string>();
  const pending = ["/docs/guides"];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (pages.has(path)) continue;
    const response = await service.fetch(path);
    expect([path, response.status]).toEqual([path, 200]);
    const text = await response.text();
    pages.set(path, text);
    if (!/^\/docs\/(guides|contract|storage)/.test(path)) continue;
    for (const [, link] of text.matchAll(/(?:href|src)="(\/[^"#]*)/g)) pending.push(link!);
  }
  expect([...pages.keys()].filter((path) => path.startsWith("/docs/guides/")).length).toBeGreaterThan(10);
  const anchors = [...pages].flatMap(([page, text]) =>
    [...text.matchAll(/href="(\/docs\/[^"#]*|)#([^"]+)"/g)].map(([, path, id]) => ({ page, path: path || page, id })),
  );
  expect(anchors.filter(({ path, id }) => !pages.get(path)?.includes(`id="${id}"`))).toEqual([]);
});

test("guides allow no script", async () => {
  const response = await service.fetch("/docs/guides/webhooks");
  const policy = response.headers.get("content-security-policy");
  expect(policy).toContain("default-src 'none'; style-src 'self'; img-src 'self'");
  expect(policy).not.toContain("script-src");
  expect(policy).not.toContain("unsafe-inline");
});
