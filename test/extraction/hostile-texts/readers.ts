import { shippedLabeller } from "../../../scripts/labeller.ts";
import { classifyMail } from "../../../src/extraction/classify-mail.ts";
import { parseFineList } from "../../../src/extraction/kinds/fine/list.ts";
import { kinds, type KindName } from "../../../src/extraction/kinds/kinds.ts";
import type { GazetteerShards } from "../../../src/extraction/lexicon/gazetteer.ts";
import { likeliestCodePage } from "../../../src/extraction/formats/encoding.ts";
import { Budget, ExtractionProblem } from "../../../src/extraction/problem.ts";
import { extractDocument } from "../../../src/extraction/extract.ts";
import { beginningOf, carriedOver, parseRow, rowsIn, textOf } from "../../../src/extraction/statements/index.ts";
import type { HostileText } from "./generate.ts";

type Read = (file: HostileText, gazetteer: GazetteerShards) => Promise<string>;

const today = "2026-11-20";
const company = { names: ["Trans Beispiel"], vatCodes: [], emailDomains: [], country: "DE" };

const reads =
  (kind: KindName): Read =>
  async (file, gazetteer) => {
    const tools = { gazetteer, labeller: shippedLabeller, budget: new Budget(Infinity) };
    const { status, reason } = await extractDocument(kind, file, { company, today }, tools);
    return reason ?? status;
  };

/**
 * All functions that read a text, here without their time limits. Each returns a word for the result, such as its
 * status.
 */
export const readers: Record<string, Read> = {
  ...Object.fromEntries((Object.keys(kinds) as KindName[]).map((kind) => [kind, reads(kind)])),
  "mail, classified": async ({ bytes }, gazetteer) => {
    const { labels } = await classifyMail(bytes, today, { gazetteer, budget: new Budget(Infinity) });
    return labels[0]!.label;
  },
  "statement of cards": async ({ bytes }) => readStatement(bytes),
  "list of fines": async (file) => `${(await parseFineList(file, 10_000)).length} fines`,
};

/** Reads the rows of a statement as an import does. */
function readStatement(bytes: Uint8Array): string {
  const codePage = likeliestCodePage(bytes.subarray(0, 128 * 1024));
  const beginning = beginningOf(textOf(bytes.subarray(0, 128 * 1024), codePage), bytes.length <= 128 * 1024, false);
  if (!beginning) return "input_not_a_document_of_this_kind";
  const { rows } = rowsIn(textOf(bytes, codePage), beginning.dialect, true);
  let carried = {};
  for (const row of rows) {
    parseRow(row, beginning.layout, carried);
    carried = carriedOver(row, carried, beginning.layout);
  }
  return `${rows.length} rows`;
}

/** Reads a text, which the reader may refuse. Returns the outcome and the CPU time in seconds. */
export async function timed(
  reader: string,
  file: HostileText,
  gazetteer: GazetteerShards,
): Promise<{ outcome: string; seconds: number }> {
  const began = process.cpuUsage();
  const outcome = await readers[reader]!(file, gazetteer).catch((cause: unknown) => {
    if (cause instanceof ExtractionProblem) return cause.reason;
    throw cause;
  });
  const { user, system } = process.cpuUsage(began);
  return { outcome, seconds: (user + system) / 1e6 };
}
