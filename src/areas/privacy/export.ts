import type { Env, Job } from "../../platform/env.ts";
import { newId } from "../../platform/ids.ts";
import { type Mentioned, objectOf } from "../../platform/aggregates.ts";
import { PersonFinder, type Person } from "../../domain/person.ts";
import { readStoredKey } from "../intake/stored-files.ts";
import { ledgerOf } from "../transactions/ledger.ts";
import { type Listed, type Batch, folders } from "./data-map.ts";
import { type Counts, type PrivacyRequest, exportFolder } from "./model.ts";
import type { PrivacyExport } from "./model.ts";
import { type Opening, isInFile, isInPiece } from "./scan-file.ts";

type Part = Omit<PrivacyExport, "createdAt">;

const kinds = ["records", "files", "events"] as const;
const maxPartCharacters = 8_000_000;

/** Collects the mentions of a person in records, files and events, batch by batch. */
export class Exporter {
  private readonly env: Env;
  private readonly call: Pick<Job, "company" | "id">;
  private readonly finder: PersonFinder;
  private readonly opening: Opening;
  private readonly isFirst: boolean;
  private readonly found: Part;
  private readonly met = new Set<string>();
  private size = 0;

  constructor(
    env: Env,
    call: Pick<Job, "company" | "id">,
    asked: { person: Person; parts: string[]; opening: Opening },
  ) {
    this.env = env;
    this.call = call;
    this.finder = new PersonFinder(asked.person);
    this.opening = asked.opening;
    this.isFirst = asked.parts.length === 0;
    this.found = { person: asked.person, records: [], files: [], events: [] };
  }

  get isFull(): boolean {
    return this.size > maxPartCharacters;
  }

  async at(batch: Batch): Promise<Counts> {
    const more = await this.lookAt(batch);
    const { records = [], files = [], events = [] } = more;
    this.found.records.push(...records);
    this.found.files.push(...files);
    this.found.events.push(...events);
    if (records.length + files.length + events.length > 0) this.size += JSON.stringify(more).length;
    return { records: records.length, files: files.length, events: events.length };
  }

  /**
   * Stores the collected part, and returns its key. The first part is stored even if empty, because it names the
   * person.
   */
  async part(): Promise<string | undefined> {
    if (this.size === 0 && !this.isFirst) return undefined;
    const key = `${exportFolder(this.call.company, this.call.id)}${newId()}.json`;
    await this.env.FILES.put(key, JSON.stringify(this.found));
    return key;
  }

  private async lookAt(batch: Batch): Promise<Partial<Pick<Part, "records" | "files" | "events">>> {
    const { env, finder, call } = this;
    const { company } = call;
    switch (batch.of) {
      case "Records":
        return {
          records: await this.mentions(
            this.firstMet(batch.things).map(({ binding, id }) => objectOf(env, binding, company, id)),
          ),
        };
      case "Company":
        return { records: await this.mentions([objectOf(env, "COMPANIES", company, company)]) };
      case "Ledger":
        return {
          records: await this.mentions([{ mentions: (person) => ledgerOf(env, company).mentions(person, batch.part) }]),
        };
      case "Deliveries":
        return {};
      case "Events":
        return {
          events: batch.events
            .filter(({ event }) => finder.isInJson(event))
            .map(({ event }) => JSON.parse(event) as unknown),
        };
      case "Files":
        return { files: await this.filesAmong(batch.keys) };
      case "Piece":
        return { files: (await isInPiece(env, finder, batch.key, batch.from)) ? this.named([batch.key]) : [] };
    }
  }

  /** A record that reaches the archive during the export would otherwise be exported twice. */
  private firstMet(things: readonly Listed[]): Listed[] {
    const first = things.filter(({ binding, id }) => !this.met.has(`${binding}/${id}`));
    for (const { binding, id } of first) this.met.add(`${binding}/${id}`);
    return first;
  }

  private async mentions(
    objects: { mentions: (person: Person) => Promise<Mentioned | undefined> }[],
  ): Promise<Mentioned[]> {
    const { person } = this.found;
    const found: Mentioned[] = [];
    for (const object of objects) {
      const one = await object.mentions(person);
      if (one) found.push(...asAnswered(one));
    }
    return found;
  }

  private async filesAmong(keys: readonly string[]): Promise<string[]> {
    const { company } = this.call;
    const own = keys.filter((key) => key.startsWith(`${company}/`) && !key.startsWith(`${company}/privacy/`));
    const named: string[] = [];
    for (const key of own) {
      const isNamed = await readStoredKey(this.env.FILES, key, (bytes) =>
        isInFile(this.finder, key, bytes, this.opening),
      );
      if (isNamed) named.push(key);
    }
    return this.named(named);
  }

  /**
   * Returns the API path of each file once. Successive keys may belong to one file: its pieces, or a scan and its OCR
   * text.
   */
  private named(keys: readonly string[]): string[] {
    const { length } = `${this.call.company}/`;
    const addresses = new Set(keys.map((key) => fetchedAt(key.slice(length))));
    return [...addresses].filter((address) => this.found.files.at(-1) !== address);
  }
}

/** Streams all parts of an export as one response. @returns undefined if the parts are no longer stored */
export async function gathered(
  { FILES }: Env,
  { parts, updatedAt: createdAt }: Pick<PrivacyRequest, "parts" | "updatedAt">,
): Promise<ReadableStream | undefined> {
  const partAt = async (key: string) => (await FILES.get(key))?.json<Part>();
  const first = await partAt(parts[0]!);
  if (!first) return undefined;
  async function* texts(): AsyncGenerator<string> {
    yield JSON.stringify({ person: first!.person, createdAt }).slice(0, -1);
    for (const kind of kinds) {
      yield `,"${kind}":[`;
      let isBegun = false;
      for (const key of parts) {
        const items = (await partAt(key))?.[kind] ?? [];
        if (items.length === 0) continue;
        yield `${isBegun ? "," : ""}${JSON.stringify(items).slice(1, -1)}`;
        isBegun = true;
      }
      yield "]";
    }
    yield "}";
  }
  const left = texts();
  const stream = new ReadableStream<string>({
    async pull(controller) {
      const { done, value } = await left.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return stream.pipeThrough(new TextEncoderStream());
}

/** Maps pointers in the stored state (`inside`) to pointers in the response of `address`. */
const placesAt: [address: RegExp, inside: RegExp, answered: string][] = [
  [/^\/api\/v2\/orders\//, /^\/envelopes(?=\/\d+\/)/, ""],
  [/^\/api\/v2\/orders\//, /^(?=\/metadata\/)/, "/0"],
  [/^\/api\/v1\/orders\//, /^\/given(?=\/(?:internalComments|details)\b)/, "/carrierOrder"],
  [/^\/api\/v1\/(?:documents|opportunities)\//, /^\/envelopes\/0(?=\/)/, ""],
  [/^\/api\/v1\/(?:freights|drivers-documents)\//, /^\/said(?=\/)/, ""],
  [/^\/api\/v1\/vehicles\//, /^\/given(?=\/)/, ""],
];

const inLedger: Partial<Record<string, { type: string; path: string }>> = {
  transactions: { type: "Transaction", path: "/api/v1/transactions-feed/" },
  feeds: { type: "TransactionFeed", path: "/api/v1/transactions-feed/feeds/" },
};

/**
 * Replaces pointers into the stored state by pointers into the response of the record's `url`. Data that the response
 * does not contain keeps its pointer.
 */
export function asAnswered(mentioned: Mentioned): Mentioned[] {
  const { url, mentions } = mentioned;
  if (mentioned.type === "Transactions") return partsOf(mentioned);
  const places = placesAt.filter(([address]) => address.test(url));
  const called = (pointer: string) =>
    places.reduce((place, [, inside, answered]) => place.replace(inside, answered), pointer);
  return [{ ...mentioned, mentions: mentions.map(({ pointer, value }) => ({ pointer: called(pointer), value })) }];
}

/** Splits the mentions in a ledger by transaction and feed, because the ledger itself has no URL. */
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
 * Returns the path of a file in the API. For OCR text, this is the path of its scan. For a file that no operation
 * returns, it is the storage key.
 * @param name storage key below the company's folder
 */
export function fetchedAt(name: string): string {
  const [folder = "", id, part = ""] = name.split("/");
  const thing = `/api/v1/${folder}/${id}`;
  if (folder === folders.DOCUMENT_COLLECTIONS && /^[0-9a-f-]{36}$/.test(part)) return `${thing}/documents/${part}/file`;
  if (!readable.has(folder)) return name;
  if (part.startsWith("extraction")) return `${thing}/extraction`;
  return part.startsWith("original") || part === "ocr" ? `${thing}/file` : name;
}
