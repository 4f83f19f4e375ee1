// node corpus/leaderboard.ts --base URL [--key KEY] [--service lorry|plain] [--rendered FOLDER] [--report FILE] [AUTHOR… | learn | develop
// | test]: sends the rendered documents (corpus/render.ts) to a service and scores its replies.
//
// --service lorry: the operations of Lorry's HTTP API. --service plain: POST URL/<kind> with the file as body and its name in
// Content-Disposition; the reply is a JSON array with one element in the form of the truth for each order or request in the
// document (one for other kinds, none for a document that is refused).
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { Json } from "./compare.ts";
import { compareDocument, scoreTable, type ScoredDocument } from "./scores.ts";

interface Case {
  file: string;
  kind: string;
  language: string;
  received: string;
  truth: Json;
}

/** A result of Lorry's API. */
interface Envelope {
  status: string;
  data?: Json;
}

const words = process.argv.slice(2);
const option = (name: string, fallback = "") => {
  const at = words.indexOf(`--${name}`);
  return at < 0 ? fallback : (words.splice(at, 2)[1] ?? fallback);
};
const root = import.meta.dirname;
const base = option("base", "http://127.0.0.1:8787");
const key = option("key", "demo");
const service = option("service", "lorry");
const rendered = option("rendered", join(root, "..", "dist", "corpus"));
const report = option("report");

const routes: Record<string, { post: string; id: string; get: string; type?: string }> = {
  order: { post: "/api/v1/orders/file", id: "orderId", get: "/api/v2/orders/" },
  notfreight: { post: "/api/v1/orders/file", id: "orderId", get: "/api/v2/orders/" },
  opportunity: { post: "/api/v1/opportunities/file", id: "opportunityId", get: "/api/v1/opportunities/" },
  ...Object.fromEntries(
    Object.entries({
      invoice: "Invoices",
      receipt: "Receipts",
      cmr: "Cmrs",
      fine: "Fines",
      insurance: "Insurances",
    }).map(([kind, type]) => [
      kind,
      { post: "/api/v1/documents", id: "documentId", get: `/api/v1/documents/${kind}/`, type },
    ]),
  ),
};

/** @returns what the service read, one element an order, request or other document; none where it refuses the document */
async function ask({ file, kind }: Case, path: string): Promise<Json[]> {
  const bytes = readFileSync(path);
  if (service === "plain") {
    const headers = { "content-disposition": `attachment; filename="${file}"` };
    const reply = await fetch(`${base}/${kind}`, { method: "POST", headers, body: bytes });
    return reply.ok ? await reply.json<Json[]>() : [];
  }
  const headers = { "x-api-key": key };
  if (kind === "email") {
    const mail = { ...headers, "content-type": "message/rfc822" };
    const reply = await fetch(`${base}/api/v1/classifications/email`, { method: "POST", headers: mail, body: bytes });
    return reply.ok ? [await reply.json<Json>()] : [];
  }
  const { post, id, get, type } = routes[kind]!;
  const form = new FormData();
  form.append("file", new Blob([bytes]), file);
  if (type) form.append("type", type);
  const posted = await fetch(base + post, { method: "POST", headers: { ...headers, prefer: "wait=20" }, body: form });
  if (!posted.ok) return [];
  const made = await posted.json<Record<string, string>>();
  for (;;) {
    const reply = await fetch(base + get + made[id]!, { headers });
    const envelopes = reply.ok ? await reply.json<Envelope | Envelope[]>() : [];
    const list = Array.isArray(envelopes) ? envelopes : [envelopes];
    if (reply.ok && !list.some(({ status }) => status === "Processing"))
      return list.filter(({ status }) => status !== "Failed").map(({ data }) => data);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function score(author: string, each: Case): Promise<ScoredDocument> {
  const began = performance.now();
  const read = await ask(each, join(rendered, author, each.file));
  const milliseconds = performance.now() - began;
  const { file, kind, language, truth } = each;
  return { file: `${author}/${file}`, kind, language, leaves: compareDocument(kind, truth, read), milliseconds };
}

const parts = JSON.parse(readFileSync(join(root, "authors.json"), "utf8")) as Record<string, { part: string }>;
const authors = readdirSync(rendered).filter(
  (author) => words.length === 0 || words.includes(author) || words.includes(parts[author]?.part ?? ""),
);
const scored: ScoredDocument[] = [];
for (const author of authors) {
  const cases = JSON.parse(readFileSync(join(rendered, author, "cases.json"), "utf8")) as Case[];
  for (const each of cases)
    if (service === "plain" || each.kind === "email" || routes[each.kind]) scored.push(await score(author, each));
}
console.log(scoreTable(scored));
if (report) writeFileSync(report, JSON.stringify(scored, undefined, 1));
