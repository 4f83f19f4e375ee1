import { BoardQuery, searchBoard, type BoardPage } from "../../areas/freights/board/board.ts";
import { timesAt } from "../../areas/freights/stops.ts";
import { addressOf, mediaType } from "../../http/responses.ts";
import { trailerTypes } from "../../domain/mappings.ts";
import { Problem } from "../../platform/problem.ts";
import { readQuery } from "../../http/query.ts";
import { takeBoardToken } from "../../http/rate-limit.ts";
import type { RequestState } from "../../http/router.ts";
import { html, type Markup } from "../html.ts";

/** The board is public, so any origin may read the feeds and any cache may store them. */
const headers = { "access-control-allow-origin": "*", "cache-control": "public, max-age=15" };

const notInXml = /[\f\ufffe\uffff]/g;

type Item = BoardPage["items"][number];

/** Serves the board as JSON: `{ items, nextCursor }`, filtered by the parameters of `BoardQuery`. */
export const boardJson = (visit: RequestState): Promise<Response> =>
  respondWithFeed(visit, ({ items, nextCursor }, base) =>
    Response.json(
      { items: items.map((item) => ({ ...item, url: urlOf(item, base) })), ...(nextCursor && { nextCursor }) },
      { headers: { ...headers, "content-type": mediaType } },
    ),
  );

/** Serves the board as RSS 2.0, by default the latest publication first. */
export const boardRss = (visit: RequestState): Promise<Response> =>
  respondWithFeed(visit, ({ items }, base) => {
    const text = `<?xml version="1.0" encoding="UTF-8"?>\n${channel(items, base).text}`.replace(notInXml, " ");
    return new Response(text, { headers: { ...headers, "content-type": "application/rss+xml; charset=utf-8" } });
  });

async function respondWithFeed(
  { env, request, requestId, url }: RequestState,
  written: (page: BoardPage, base: string) => Response,
): Promise<Response> {
  const base = addressOf(request, env);
  try {
    takeBoardToken(request);
    return written(await searchBoard(env, readQuery(BoardQuery, url)!), base);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const refused = error.toResponse(url.pathname, requestId, base);
    refused.headers.set("access-control-allow-origin", "*");
    return refused;
  }
}

const urlOf = ({ freightId }: Item, base: string) => `${base}/board/${freightId}`;

const channel = (items: Item[], base: string): Markup =>
  html`<rss version="2.0">
<channel>
<title>Freights</title>
<link>${base}/board</link>
<description>Open freights, the last published first</description>
${items.map((item) => entry(item, urlOf(item, base)))}
</channel>
</rss>
`;

const entry = (item: Item, url: string): Markup =>
  html`<item>
<title>${item.locations.map(placeOf).join(" – ")}</title>
<link>${url}</link>
<guid isPermaLink="false">${item.freightId}</guid>
<pubDate>${new Date(item.publishedAt ?? 0).toUTCString()}</pubDate>
<description>${wordsOf(item).join("; ")}</description>
</item>
`;

const placeOf = ({ address: { countryCode, postalCode, city } }: Item["locations"][number]) =>
  [countryCode, postalCode, city].filter(Boolean).join(" ");

function wordsOf({ locations, requirements, payment, currentPrice, comments }: Item): string[] {
  const { trailerTypes: trailers = [], capacity, ldm, pallets } = requirements;
  const facts = [
    ...locations.map((stop) => stop.period.startDate && `${stop.type} ${timesAt(stop).startDate}`),
    trailers.map((type) => trailerTypes[type]).join(", "),
    capacity && `${capacity} t`,
    ldm && `${ldm} ldm`,
    pallets && `${pallets} pallets`,
    currentPrice !== undefined && `${currentPrice} ${payment.currency}`,
    comments,
  ];
  return facts.filter((word): word is string => typeof word === "string" && word !== "");
}
