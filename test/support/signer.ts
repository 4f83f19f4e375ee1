import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";

/** A secret of the published test vector. */
export const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** Starts the product's signer of webhooks on the Workers runtime. */
export async function startSigner() {
  const signer = stripTypeScriptTypes(await readFile("src/platform/sign.ts", "utf8"));
  const script = `${signer}
    export default { fetch: async (request) => Response.json(await signatureHeaders(...await request.json())) };`;
  const log = new Log(LogLevel.NONE);
  const options = { log, modules: true, script, compatibilityDate: "2026-11-17" };
  const runtime = new Miniflare(convertV4MiniflareOptions(options));
  return {
    /** Returns the headers with the signature of a body. */
    async sign(...parameters: [secrets: string[], id: string, body: string, at?: number]) {
      const body = JSON.stringify(parameters);
      const response = await runtime.dispatchFetch("http://signer/", { method: "POST", body });
      return (await response.json()) as Record<string, string>;
    },
    stop: () => runtime.dispose(),
  };
}
