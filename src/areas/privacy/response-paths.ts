import type { Mentioned } from "../../platform/aggregates.ts";
import { folders } from "./data-map.ts";

/** Of what an address answers: how a place inside of the thing is called there. */
const placesAt: [address: RegExp, inside: RegExp, answered: string][] = [
  [/^\/api\/v2\/orders\//, /^\/envelopes(?=\/\d+\/)/, ""],
  [/^\/api\/v2\/orders\//, /^(?=\/metadata\/)/, "/0"],
  [/^\/api\/v1\/orders\//, /^\/given(?=\/(?:internalComments|details)\b)/, "/carrierOrder"],
  [/^\/api\/v1\/(?:documents|opportunities)\//, /^\/envelopes\/0(?=\/)/, ""],
  [/^\/api\/v1\/(?:freights|drivers-documents)\//, /^\/said(?=\/)/, ""],
  [/^\/api\/v1\/vehicles\//, /^\/given(?=\/)/, ""],
];

/** What a ledger keeps, by the first step of its places. */
const inLedger: Partial<Record<string, { type: string; path: string }>> = {
  transactions: { type: "Transaction", path: "/api/v1/transactions-feed/" },
  feeds: { type: "TransactionFeed", path: "/api/v1/transactions-feed/feeds/" },
};

/**
 * Things by the addresses they are read at, with the places of what is answered there. What is kept and not answered has its
 * place inside of the thing.
 */
export function asAnswered(mentioned: Mentioned): Mentioned[] {
  const { url, mentions } = mentioned;
  if (mentioned.type === "Transactions") return partsOf(mentioned);
  const places = placesAt.filter(([address]) => address.test(url));
  const called = (pointer: string) =>
    places.reduce((place, [, inside, answered]) => place.replace(inside, answered), pointer);
  return [{ ...mentioned, mentions: mentions.map(({ pointer, value }) => ({ pointer: called(pointer), value })) }];
}

/** A ledger is no thing that is read: its transactions and statements are, each by itself. */
function partsOf(ledger: Mentioned): Mentioned[] {
  const parts = new Map<string, Mentioned>();
  for (const { pointer, value } of ledger.mentions) {
    const [, kind = "", id = "", ...rest] = pointer.split("/");
    const read = inLedger[kind];
    const one = read ? { type: read.type, id, url: `${read.path}${id}` } : ledger;
    const part = parts.get(one.url) ?? { ...one, mentions: [] };
    part.mentions.push({ pointer: read ? `/${rest.join("/")}` : pointer, value });
    parts.set(one.url, part);
  }
  return [...parts.values()];
}

const readable = new Set(
  (["ORDERS", "DOCUMENTS", "DRIVERS_DOCUMENTS", "OPPORTUNITIES", "MAILS"] as const).map((binding) => folders[binding]),
);

/**
 * Where a file can be fetched, as a path below the deployment's address: words that were made out in a scan are answered with
 * it. A file that no operation answers is called by its place in the storage.
 * @param name below the company
 */
export function fetchedAt(name: string): string {
  const [folder = "", id, part = ""] = name.split("/");
  const thing = `/api/v1/${folder}/${id}`;
  if (folder === folders.DOCUMENT_COLLECTIONS && /^[0-9a-f-]{36}$/.test(part)) return `${thing}/documents/${part}/file`;
  if (!readable.has(folder)) return name;
  if (part.startsWith("extraction")) return `${thing}/extraction`;
  return part.startsWith("original") || part === "ocr" ? `${thing}/file` : name;
}
