import type { Transaction } from "../../src/areas/transactions/model.ts";
import { omitUndefined } from "../../src/platform/omit-undefined.ts";
import type { Mentioned } from "../../src/platform/aggregates.ts";
import type { PersonFinder } from "../../src/domain/person.ts";
import type { LedgerAnswers } from "./answers.ts";
import type { LedgerBackground } from "./background.ts";
import type { Feed, LedgerFeeds } from "./feeds.ts";
import type { Kept } from "./rows.ts";
import type { Books } from "./ingest.ts";

/** The stores of a ledger that may contain personal data. */
export interface Erasable {
  storage: DurableObjectStorage;
  books: Books;
  feeds: LedgerFeeds;
  answers: LedgerAnswers<unknown>;
  background: LedgerBackground;
}

/** Number of lines, and number of feeds, in one part of the search (see {@link nextPart}). */
const [linesAtOnce, feedsAtOnce] = [2000, 100];

/**
 * Names the part of a ledger to search next: lines after a row (`lines/2000`), feeds after an id (`feeds/` and the id),
 * and the rest (`beside`: vehicles, prices, replies and events).
 * @returns the part after the given one, or the first
 */
export function nextPart({ books, feeds }: Pick<Erasable, "books" | "feeds">, part?: string): string | undefined {
  if (part === undefined) return "lines/0";
  const { of, after } = partOf(part);
  if (of === "beside") return undefined;
  const last =
    of === "lines" ? books.rows.lastOfNext(Number(after), linesAtOnce) : feeds.lastOfNext(after, feedsAtOnce);
  if (last !== undefined) return `${of}/${last}`;
  return of === "lines" ? "feeds/" : "beside";
}

/** Finds the mentions of a person in a part of a ledger. Each names the line, feed or vehicle, and the field. */
export function mentionedIn(
  { books, feeds }: Erasable,
  finder: PersonFinder,
  company: string,
  part: string,
): Mentioned | undefined {
  const mentions = textsIn({ books, feeds }, part).flatMap(([place, texts]) => finder.mentionsIn(texts, place));
  if (mentions.length === 0) return undefined;
  return { type: "Transactions", id: company, url: "/api/v1/transactions-feed", mentions };
}

/** Returns those texts in a part that come from callers or files, each with the path of its line, feed or vehicle. */
function textsIn({ books, feeds }: Pick<Erasable, "books" | "feeds">, part: string): [place: string, texts: unknown][] {
  const { of, after } = partOf(part);
  if (of === "lines")
    return books.rows
      .page(Number(after), linesAtOnce)
      .map(({ transaction }) => [`/transactions/${transaction.id}`, textsOf(transaction)]);
  if (of === "feeds") return feeds.page(after, feedsAtOnce).map((feed) => [`/feeds/${feed.feedId}`, textsOfFeed(feed)]);
  return books.fleet.vehicles().map(({ id, vehicle: { assignments } }) => [`/vehicles/${id}`, { assignments }]);
}

/** Erases a person from one part of a ledger. @returns whether the part named the person */
export async function eraseFrom(ledger: Erasable, finder: PersonFinder, part: string): Promise<boolean> {
  const { of, after } = partOf(part);
  const { storage, books, feeds } = ledger;
  const isFound =
    of === "beside"
      ? await eraseBeside(ledger, finder)
      : storage.transactionSync(() =>
          of === "lines"
            ? eraseLines(books, finder, books.rows.page(Number(after), linesAtOnce))
            : eraseFeeds(feeds, finder, feeds.page(after, feedsAtOnce)),
        );
  await storage.sync();
  return isFound;
}

async function eraseBeside({ storage, books, answers, background }: Erasable, finder: PersonFinder): Promise<boolean> {
  const isHere = storage.transactionSync(() => {
    const gone = (value: unknown) => isNamed(finder, value);
    return [eraseVehicles(books, finder), books.prices.drop(gone), answers.drop(gone)].includes(true);
  });
  const wasTold = await background.deleteEvents((json) => isNamed(finder, JSON.parse(json)));
  return isHere || wasTold;
}

function partOf(part: string): { of: string; after: string } {
  const [of = "", after = ""] = part.split("/");
  return { of, after };
}

const isNamed = (finder: PersonFinder, value: unknown) => finder.mentionsIn(value).length > 0;

/**
 * Returns those texts of a transaction that come from callers or files. Its other fields are ids, figures, times and
 * enumerated words.
 */
const textsOf = (now: Transaction) => {
  const { provider, externalId, invoiceNumber, driverSaid, driver, station, city, postalCode, productName } = now;
  const { comment, metadata } = now;
  const anomalies = now.anomalies.map(({ expected, actual, message }) => ({ expected, actual, message }));
  const named = { provider, externalId, invoiceNumber, driverSaid, driver, station, city, postalCode, productName };
  return omitUndefined({ ...named, comment, metadata, anomalies });
};

/** Erases the person from lines. All erased drivers get the same name, so their totals are merged. */
function eraseLines({ rows, totals }: Books, finder: PersonFinder, lines: readonly Kept[]): boolean {
  const named = lines.filter(({ transaction }) => isNamed(finder, textsOf(transaction)));
  for (const { n, transaction: before } of named) {
    const { anomalies, ...texts } = finder.erasedFrom(textsOf(before));
    const after: Transaction = {
      ...before,
      ...texts,
      anomalies: before.anomalies.map((one, at) => ({ ...one, ...anomalies[at] })),
      version: before.version + 1,
    };
    rows.update(n, after);
    totals.change([{ before, after }]);
    const key = rows.keyOf(n);
    if (isNamed(finder, key)) rows.rekey(n, `${finder.without(key)}\n${after.id}`);
  }
  return named.length > 0;
}

const textsOfFeed = ({ provider, metadata, message, file, rejected }: Feed) =>
  omitUndefined({ provider, metadata, message, fileName: file?.name, rejected });

function eraseFeeds(feeds: LedgerFeeds, finder: PersonFinder, some: readonly Feed[]): boolean {
  const named = some.filter((feed) => isNamed(finder, textsOfFeed(feed)));
  for (const feed of named) {
    const { fileName: name, ...rest } = finder.erasedFrom(textsOfFeed(feed));
    const { file } = feed;
    feeds.write({ ...feed, ...rest, ...(file && name !== undefined && { file: { ...file, name } }) });
  }
  return named.length > 0;
}

function eraseVehicles({ fleet }: Books, finder: PersonFinder): boolean {
  const named = fleet.vehicles().filter(({ vehicle }) => isNamed(finder, vehicle.assignments));
  for (const { id, vehicle } of named)
    fleet.rewrite(id, { ...vehicle, assignments: finder.erasedFrom(vehicle.assignments) });
  return named.length > 0;
}
