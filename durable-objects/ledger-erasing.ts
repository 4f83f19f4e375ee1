import type { Transaction } from "../src/areas/transactions/transaction.ts";
import { given } from "../src/kit/given.ts";
import type { Mentioned } from "../src/kit/owners.ts";
import type { Finder, Mention } from "../src/kit/person.ts";
import type { LedgerAnswers } from "./ledger-answers.ts";
import type { LedgerErrands } from "./ledger-errands.ts";
import type { Feed, LedgerFeeds } from "./ledger-feeds.ts";
import type { Kept } from "./ledger-rows.ts";
import type { Books } from "./ledger-taking.ts";

/** Where a ledger may name somebody. */
export interface Erasable {
  storage: DurableObjectStorage;
  books: Books;
  feeds: LedgerFeeds;
  answers: LedgerAnswers<unknown>;
  errands: LedgerErrands;
}

/** Lines looked through together; in between others have their turn. */
const linesAtOnce = 2000;

/** Where a ledger names somebody: line, feed or vehicle, and the field. */
export async function mentionedIn(
  { books, feeds }: Erasable,
  finder: Finder,
  company: string,
): Promise<Mentioned | undefined> {
  const mentions: Mention[] = [];
  for await (const lines of linesOf(books))
    for (const { transaction } of lines)
      mentions.push(...finder.mentionsIn(textsOf(transaction), `/transactions/${transaction.id}`));
  for (const page of feeds.all())
    for (const feed of page) mentions.push(...finder.mentionsIn(textsOfFeed(feed), `/feeds/${feed.feedId}`));
  for (const { id, vehicle } of books.fleet.known())
    mentions.push(...finder.mentionsIn({ assignments: vehicle.assignments }, `/vehicles/${id}`));
  if (mentions.length === 0) return undefined;
  return { type: "Transactions", id: company, url: "/api/v1/transactions-feed", mentions };
}

/** Takes somebody out of all of a ledger. @returns whether there was anything of him */
export async function eraseFrom(ledger: Erasable, finder: Finder): Promise<boolean> {
  const { storage, books, feeds, answers, errands } = ledger;
  let isFound = false;
  for await (const lines of linesOf(books)) {
    const named = lines.filter(({ transaction }) => isNamed(finder, textsOf(transaction)));
    if (named.length === 0) continue;
    isFound = true;
    storage.transactionSync(() => eraseLines(books, finder, named));
  }
  const isBeside = storage.transactionSync(() => {
    const gone = (value: unknown) => isNamed(finder, value);
    const done = [eraseFeeds(feeds, finder), eraseVehicles(books, finder), books.prices.drop(gone), answers.drop(gone)];
    return done.includes(true);
  });
  const wasTold = await errands.drop((json) => isNamed(finder, JSON.parse(json)));
  await storage.sync();
  return isFound || isBeside || wasTold;
}

const isNamed = (finder: Finder, value: unknown) => finder.mentionsIn(value).length > 0;

async function* linesOf({ rows }: Books): AsyncGenerator<Kept[]> {
  for (let after = 0; ;) {
    const lines = rows.page(after, linesAtOnce);
    yield lines;
    if (lines.length < linesAtOnce) return;
    after = lines.at(-1)!.n;
    await new Promise((passed) => setTimeout(passed, 0));
  }
}

/** What a transaction says in words of others: all else are ids, figures, times and words of ours. */
const textsOf = (now: Transaction) => {
  const { provider, externalId, invoiceNumber, driverSaid, driver, station, city, postalCode, productName } = now;
  const { comment, metadata } = now;
  const anomalies = now.anomalies.map(({ expected, actual, message }) => ({ expected, actual, message }));
  const named = { provider, externalId, invoiceNumber, driverSaid, driver, station, city, postalCode, productName };
  return given({ ...named, comment, metadata, anomalies });
};

/** The totals of drivers who are nobody any more are added up. */
function eraseLines({ rows, totals }: Books, finder: Finder, named: readonly Kept[]): void {
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
}

const textsOfFeed = ({ provider, metadata, message, file, rejected }: Feed) =>
  given({ provider, metadata, message, fileName: file?.name, rejected });

function eraseFeeds(feeds: LedgerFeeds, finder: Finder): boolean {
  let isFound = false;
  for (const page of feeds.all())
    for (const feed of page) {
      const texts = textsOfFeed(feed);
      if (!isNamed(finder, texts)) continue;
      const { fileName: name, ...rest } = finder.erasedFrom(texts);
      const { file } = feed;
      feeds.write({ ...feed, ...rest, ...(file && name !== undefined && { file: { ...file, name } }) });
      isFound = true;
    }
  return isFound;
}

function eraseVehicles({ fleet }: Books, finder: Finder): boolean {
  const named = fleet.known().filter(({ vehicle }) => isNamed(finder, vehicle.assignments));
  for (const { id, vehicle } of named)
    fleet.rewrite(id, { ...vehicle, assignments: finder.erasedFrom(vehicle.assignments) });
  return named.length > 0;
}
