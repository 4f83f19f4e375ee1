import { XMLParser, XMLValidator } from "fast-xml-parser";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { archiveStatements, archiveTables, everyone, type ArchiveRow } from "../../../src/platform/archive/archive.ts";
import { apiClient, type Wire } from "../../support/api-client.ts";
import { aFreight, publishing, secrets } from "../../support/publications.ts";
import { openService, type TestService } from "../../support/service.ts";

interface Item extends Wire {
  freightId: string;
  currentPrice?: number;
  url: string;
}
interface Page {
  items: Item[];
  nextCursor?: string;
}

let service: TestService;

beforeAll(async () => {
  service = await openService({ own: true });
});
afterAll(() => service.stop());

const aCompany = () => publishing(apiClient(service, service.company().key));
/** Makes a random word, which only the freights of one test contain. */
const aWord = () => `w${crypto.randomUUID().replaceAll("-", "")}`;

async function board(query: Record<string, string>): Promise<Page> {
  const response = await service.fetch(`/board/freights.json?${new URLSearchParams(query).toString()}`);
  expect(response.status).toBe(200);
  return response.json<Page>();
}

const idsOn = async (query: Record<string, string>) => (await board(query)).items.map(({ freightId }) => freightId);

/** Waits until the board lists exactly these freights, in any order. */
const shows = (query: Record<string, string>, ids: string[]) =>
  vi.waitFor(async () => expect((await idsOn(query)).toSorted()).toEqual(ids.toSorted()), {
    timeout: 50_000,
    interval: 100,
  });

describe("the board", () => {
  test("shows open freights of all companies that publish there, and no others", async () => {
    const text = aWord();
    const [one, other] = [aCompany(), aCompany()];
    const ids = [await one.publish({ comments: text }), await other.publish({ comments: text, sources: [1, 7] })];
    const elsewhere = await one.publish({ comments: text, sources: [7] });
    const draft = await one.publish({ comments: text, sources: [] });
    await shows({ text }, ids);
    const gone = ids.pop()!;
    await other.withdraw(gone);
    await shows({ text }, ids);
    expect(await idsOn({ text })).not.toEqual(expect.arrayContaining([elsewhere, draft, gone]));
  });

  test("shows no private fields of the owner", async () => {
    const text = aWord();
    const id = await aCompany().publish({ comments: text });
    await shows({ text }, [id]);
    const [json, rss] = await Promise.all(
      ["freights.json", "feed.rss"].map(async (name) => (await service.fetch(`/board/${name}?text=${text}`)).text()),
    );
    expect(json).toContain(id);
    expect(rss).toContain(id);
    for (const secret of secrets) {
      expect(json).not.toContain(secret);
      expect(rss).not.toContain(secret);
    }
    const { items } = JSON.parse(json!) as Page;
    expect(items).toEqual([
      expect.objectContaining({
        freightId: id,
        status: "Published",
        currentPrice: 1111.11,
        payment: { currency: "EUR", term: 30 },
        url: `${service.url}/board/${id}`,
      }),
    ]);
    const kept = await service.archive
      .prepare("select * from board o join board_views v on v.row = o.row where o.id = ?")
      .bind(id)
      .first<{ view: string }>();
    const { view, ...foundBy } = kept!;
    const { shown, ...when } = JSON.parse(view) as { shown: object; expiresAt: string };
    for (const secret of secrets) expect(JSON.stringify({ shown, foundBy })).not.toContain(secret);
    // `expiresAt` is stored in addition to what is shown, so that an expired freight is hidden.
    expect(Object.keys(when)).toEqual(["expiresAt"]);
  });

  test("finds a freight without a trailer type by each type", async () => {
    const text = aWord();
    const id = await aCompany().publish({ comments: text, requirements: { trailerTypes: [] } });
    await shows({ text, trailerType: "3" }, [id]);
    expect(await idsOn({ text, loadingPostalCode: "-" })).toEqual([]);
  });

  test("limits the searches of a visitor", async () => {
    const headers = { "cf-connecting-ip": "203.0.113.7" };
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => service.fetch("/board/freights.json", { headers })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]!.headers.get("access-control-allow-origin")).toBe("*");
    expect((await service.fetch("/board/feed.rss")).status).toBe(200);
  });

  test("follows changes of a freight", async () => {
    const [before, after] = [aWord(), aWord()];
    const { publish, change } = aCompany();
    const id = await publish({ comments: before });
    await shows({ text: before }, [id]);
    await change(id, { comments: after });
    await shows({ text: after }, [id]);
    expect(await idsOn({ text: before })).toEqual([]);
    await change(id, { comments: after, sources: [7] });
    await shows({ text: after }, []);
    await change(id, { comments: after, sources: [1] });
    await shows({ text: after }, [id]);
  });

  test("drops an expired freight", async () => {
    const text = aWord();
    const until = new Date(Date.now() + 10_000).toISOString();
    const id = await aCompany().publish({
      comments: text,
      payment: { from: 1000, growTo: 1100, until, updateRate: "01:00:00" },
    });
    await shows({ text }, [id]);
    await shows({ text }, []);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until));
  });

  test("is searched by place, time and trailer", async () => {
    const text = aWord();
    const { publish } = aCompany();
    const [loading, unloading] = aFreight()["locations"] as [Wire, Wire];
    const hamburg = { countryCode: "DE", postalCode: "20457", city: "Hamburg", coordinates: at(53.54, 9.99) };
    const later = { startDate: dayOf(8), endDate: `${dayOf(8)}T16:00:00` };
    const leipzig = await publish({ comments: text });
    const fromHamburg = await publish({
      comments: text,
      locations: [{ ...loading, address: hamburg }, unloading],
      requirements: { trailerTypes: [2] },
    });
    const lateAny = await publish({
      comments: text,
      locations: [
        { ...loading, period: later },
        { ...unloading, address: hamburg, period: { startDate: dayOf(9) } },
      ],
      requirements: {},
    });
    await shows({ text }, [leipzig, fromHamburg, lateAny]);
    await shows({ text, loadingCountry: "de" }, [leipzig, fromHamburg, lateAny]);
    await shows({ text, unloadingCountry: "PL" }, [leipzig, fromHamburg]);
    await shows({ text, loadingPostalCode: "04" }, [leipzig, lateAny]);
    await shows({ text, unloadingPostalCode: "53-6" }, [leipzig, fromHamburg]);
    await shows({ text, loadingNear: "51.34,12.37,20" }, [leipzig, lateAny]);
    await shows({ text, loadingNear: "51.34,12.37,2" }, []);
    await shows({ text, unloadingNear: "53.5,10,50" }, [lateAny]);
    await shows({ text, loadingFrom: dayOf(7) }, [lateAny]);
    await shows({ text, loadingTo: dayOf(6) }, [leipzig, fromHamburg]);
    await shows({ text, unloadingFrom: dayOf(9), unloadingTo: dayOf(9) }, [lateAny]);
    await shows({ text, trailerType: "2" }, [fromHamburg, lateAny]);
    await shows({ text, trailerType: "3", loadingPostalCode: "04158", unloadingCountry: "PL" }, [leipzig]);
    await shows({ text: `${text} hamburg` }, [fromHamburg, lateAny]);
    expect(await idsOn({ text, trailerType: "1" })).toEqual([lateAny]);
  });

  test("is paged, the last published freight first, without gaps or repetitions", async () => {
    const text = aWord();
    const { publish } = aCompany();
    const ids: string[] = [];
    for (let count = 0; count < 7; count++) ids.unshift(await publish({ comments: text }));
    await shows({ text }, ids);
    const seen: string[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined;) {
      const page: Page = await board({ text, limit: "3", ...(cursor && { cursor }) });
      expect(page.items.length).toBeLessThanOrEqual(3);
      seen.push(...page.items.map(({ freightId }) => freightId));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(ids);
    const byLoading = await idsOn({ text, sort: "loadingDate" });
    expect(byLoading.toSorted()).toEqual(ids.toSorted());
  });

  test.each([
    ["colour=red", "unknown_parameter", "colour"],
    ["growTo=1", "unknown_parameter", "growTo"],
    ["limit=0", "validation_failed", "limit"],
    ["loadingNear=51,12", "validation_failed", "loadingNear"],
    ["trailerType=999", "validation_failed", "trailerType"],
    ["cursor=x", "invalid_cursor", "cursor"],
  ])("refuses %s with %s", async (query, errorCode, field) => {
    for (const name of ["freights.json", "feed.rss"]) {
      const response = await service.fetch(`/board/${name}?${query}`);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ errorCode, errors: [{ field }] });
    }
  });

  test("allows any origin and public caching, without a key", async () => {
    const response = await service.fetch("/board/freights.json", { headers: { origin: "https://any.beispiel.de" } });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("cache-control")).toBe("public, max-age=15");
    expect(response.headers.get("content-type")).toBe("application/json; x-api-version=1.0");
    const posted = await service.fetch("/board/freights.json", { method: "POST" });
    expect({ status: posted.status, allow: posted.headers.get("allow") }).toEqual({ status: 405, allow: "GET, HEAD" });
  });

  test("has an RSS feed that can contain any text of a freight", async () => {
    const text = aWord();
    const comments = `${text} <script>alert("1")</script> & ]]> \u2028 🚚 'Łódź' \f`;
    const id = await aCompany().publish({ comments });
    await shows({ text }, [id]);
    const response = await service.fetch(`/board/feed.rss?text=${text}`);
    expect(response.headers.get("content-type")).toBe("application/rss+xml; charset=utf-8");
    const xml = await response.text();
    expect(XMLValidator.validate(xml)).toBe(true);
    // oxlint-disable-next-line no-control-regex -- characters that XML forbids
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
    const { rss } = new XMLParser().parse(xml) as { rss: { channel: { item: Record<string, string> } } };
    expect(rss.channel.item).toMatchObject({
      title: "DE 04158 Leipzig – PL 53-609 Wrocław",
      link: `${service.url}/board/${id}`,
      guid: id,
    });
    expect(rss.channel.item["description"]).toContain(`<script>alert("1")</script> & ]]>`);
  });
});

describe("the companion row of a freight", () => {
  const blank = (table: "freights" | "board") => Object.fromEntries(archiveTables[table].map((name) => [name, ""]));
  const row = (id: string, comments: string, isOpen: boolean, expiresAt = "2999-01-01T00:00:00.000Z"): ArchiveRow => {
    const kept = {
      id,
      createdAt: "2026-11-20T08:00:00.000Z",
      updatedAt: "2026-11-20T08:00:00.000Z",
      terms: [],
      text: comments,
      view: { shown: { freightId: id }, expiresAt },
    };
    const beside: ArchiveRow = { ...kept, table: "board", company: everyone, columns: blank("board") };
    return { ...kept, table: "freights", company: "c", columns: blank("freights"), ...(isOpen && { beside }) };
  };
  const write = async (...versions: [number, ArchiveRow][]) => {
    const rows = versions.map(([version, one]) => ({ version, row: one }));
    await service.archive.batch(archiveStatements(service.archive, rows));
  };

  test("is hidden after its expiry, although it still exists", async () => {
    const [over, open, text] = [crypto.randomUUID(), crypto.randomUUID(), aWord()];
    await write([1, row(over, text, true, new Date(Date.now() - 1000).toISOString())], [1, row(open, text, true)]);
    expect(await idsOn({ text })).toEqual([open]);
  });

  test.each([
    ["closed, then an older open version", [5, false], [4, true], false],
    ["open, then an older closed version", [5, true], [4, false], true],
    ["open, then closed", [4, true], [5, false], false],
    ["closed, then open", [4, false], [5, true], true],
    ["open, then the same version again", [5, true], [5, true], true],
  ] as const)("follows the newest version: %s", async (_, first, second, isShown) => {
    const [id, text] = [crypto.randomUUID(), aWord()];
    for (const [version, isOpen] of [first, second]) await write([version, row(id, text, isOpen)]);
    expect(await idsOn({ text })).toEqual(isShown ? [id] : []);
    const postings = await service.archive
      .prepare("select count(*) as count from board_postings where term = ?")
      .bind(`word:${text}`)
      .first<{ count: number }>();
    expect(postings!.count).toBe(isShown ? 1 : 0);
    const views = await service.archive
      .prepare("select count(*) as count from board_views where view like ?")
      .bind(`%${id}%`)
      .first<{ count: number }>();
    expect(views!.count).toBe(isShown ? 1 : 0);
  });
});

const at = (latitude: number, longitude: number) => ({ latitude, longitude });
const dayOf = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
