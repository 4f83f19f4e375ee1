import { commands as companyCommands } from "../companies/commands.ts";
import { Answer } from "../../http/responses.ts";
import { sha256 } from "../../platform/ids.ts";
import type { Context } from "../../http/operation.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { itemsOf, Problem, type ErrorItem } from "../../platform/problem.ts";
import { normalizeLines, type ImportContext } from "./normalize-lines.ts";
import { importInRequest } from "./jobs.ts";
import { noteImport } from "./pending-imports.ts";
import { ledgerOf, type LineBatch, type PostedFeed, type Rejected } from "./ledger.ts";
import { receiveFile } from "./receive-file.ts";
import { ItemInput, type FeedInput } from "./input.ts";
import { type FeedView } from "./model.ts";
import type * as z from "zod";

/** In milliseconds; a request may ask for a longer wait. */
const defaultWait = 3_000;

/** Receives transactions as JSON. All valid items are imported before the response. */
export async function postItems(body: z.output<typeof FeedInput>, context: Context): Promise<Answer<FeedView>> {
  const { env, caller } = context;
  const { provider, items, metadata } = body;
  const { reply: facts } = await executeCommand(
    env,
    companyCommands.facts,
    { company: caller.company, id: caller.company },
    {},
  );
  const desk: ImportContext = { env, company: caller.company, provider, homeCountry: facts.country };
  const lines: { row: number; line: ItemInput }[] = [];
  const rejected: Rejected[] = [];
  for (const [at, item] of items.entries()) {
    const read = ItemInput.safeParse(item, { reportInput: true });
    if (read.success) lines.push({ row: at + 1, line: read.data });
    else rejected.push({ row: at + 1, errors: itemsOf(read.error).map(plainly) });
  }
  const read = await normalizeLines(desk, lines);
  const wrong = [...rejected, ...read.rejected];
  const portion: LineBatch = { entries: read.entries, rejected: wrong, isLast: true };
  const feed = { feedId: context.newId, provider, metadata, fingerprint: await sha256(JSON.stringify(body)) };
  const posted: PostedFeed = { company: caller.company, feed, portion, by: context.by };
  const { feed: made, isNew } = await ledgerOf(env, caller.company).post(JSON.stringify(posted));
  return answered(made, isNew);
}

const plainly = ({ code, field, message }: ErrorItem) => ({ code, field, message });

/** Receives a statement as a file. A long file is imported in the background, after the response. */
export async function postFile(query: { provider?: string | undefined }, context: Context): Promise<Answer<FeedView>> {
  const { env, caller, newId, waitSeconds, by } = context;
  const { company } = caller;
  const ledger = ledgerOf(env, company);
  const known = context.request.headers.has("idempotency-key") && (await ledger.feed(newId));
  const { file, provider, metadata } = await receiveFile(context, query);
  const feed = { feedId: newId, provider, metadata, file, fingerprint: file.sha256 };
  const reader = crypto.randomUUID();
  const posted: PostedFeed = { company, feed, reader, by };
  const [made] = await Promise.all([ledger.post(JSON.stringify(posted)), noteImport(env, company)]);
  if (!made.isNew) await env.FILES.delete(file.key);
  if (!made.isNew && made.fingerprint !== file.sha256) throw new Problem("idempotency_key_reused");
  if (known || !made.isNew) return answered(made.feed, false);
  const milliseconds = Math.max(defaultWait, waitSeconds * 1000);
  await importInRequest(env, company, { reader, feedId: newId, until: Date.now() + milliseconds });
  return answered((await ledger.feed(newId)) ?? made.feed, true);
}

function answered(feed: FeedView, isNew: boolean): Answer<FeedView> {
  return new Answer(feed, {
    replayed: !isNew,
    headers: { location: `/api/v1/transactions-feed/feeds/${feed.feedId}` },
  });
}
