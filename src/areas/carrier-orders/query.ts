import * as z from "zod";
import { listArchive, normalizeNumber, type ArchiveQuery } from "../../platform/archive/archive.ts";
import { wordsIn } from "../../platform/archive/terms.ts";
import { aliasOf, listMembers, listOf, nextCursorAlias, resolveAlias, defaultPageSize } from "../../platform/lists.ts";
import { operationsOn } from "../../http/operation.ts";
import { vatCodeSearch } from "../../domain/parties.ts";
import { choice, LineText, QueryClock, QueryClockEnd } from "../../domain/shapes.ts";
import { rowExample } from "./examples.ts";
import type { Events } from "./order.ts";
import { carrierOrderStatuses, CarrierOrderRow } from "./shapes.ts";
import type { Kept } from "./commands.ts";

const { post } = operationsOn<Kept, Events>({ binding: "ORDERS", scope: "orders" });

const listed = listMembers(["createdAt", "updatedAt", "orderNumber", "loadingDate", "unloadingDate"]);

const QueryInput = z
  .strictObject({
    statuses: z.array(choice(carrierOrderStatuses)).max(20).nullish(),
    carrier: LineText(200).nullish().describe("A VAT code, or words of the carrier's name."),
    orderNumber: LineText(100)
      .nullish()
      .describe(
        "The number, or a pattern with `*` of at most 50 letters and digits. Case, blanks and dashes are ignored.",
      ),
    loadingFrom: QueryClock.nullish().describe("Start of the first loading, local time; an offset is ignored."),
    loadingTo: QueryClockEnd.nullish(),
    unloadingFrom: QueryClock.nullish().describe("Start of the last unloading, local time; an offset is ignored."),
    unloadingTo: QueryClockEnd.nullish(),
    licensePlates: z.array(LineText(30)).max(50).nullish().describe("Matches any of these."),
    internalIds: z.array(LineText(512)).max(50).nullish().describe("Matches any of these."),
    text: LineText(200).nullish().describe("Words; each matches the beginning of a word."),
    ...listed,
    continuationToken: aliasOf("cursor", listed.cursor),
  })
  .meta({ id: "CarrierOrderQuery" });

export const query = post("/api/v1/orders/query", {
  summary: "Search carrier orders",
  description: "Newest first by default. A new order appears in the list after about a second.",
  body: QueryInput,
  isReadOnly: true,
  ok: listOf(CarrierOrderRow).extend({ continuationToken: nextCursorAlias }),
  example: {
    body: { statuses: ["AwaitingDocuments", "Rejected"], orderNumber: "CO-2026-*", limit: 20 },
    reply: { items: [rowExample], nextCursor: "WyItY3JlYXRlZEF0Il0", continuationToken: "WyItY3JlYXRlZEF0Il0" },
  },
  async handle({ body }, { env, caller }) {
    const page = await listArchive<CarrierOrderRow>(env.ARCHIVE, asked(body, caller.company));
    return { ...page, ...(page.nextCursor && { continuationToken: page.nextCursor }) };
  },
});

function asked(body: z.output<typeof QueryInput>, company: string): ArchiveQuery {
  const some = (name: string, values: string[] | null | undefined) =>
    values?.length ? [values.map((value) => [`${name}:${value}`])] : [];
  const cursor = resolveAlias<string>(
    { cursor: body.cursor, continuationToken: body.continuationToken },
    "cursor",
    "continuationToken",
  );
  return {
    table: "orders",
    company,
    terms: [
      [["kind:Carrier"]],
      ...some("status", body.statuses),
      ...some("licensePlate", body.licensePlates?.map(normalizeNumber)),
      ...some("internalId", body.internalIds),
      ...(body.carrier ? [carrierNamed(body.carrier)] : []),
    ],
    patterns: body.orderNumber ? [{ column: "numberKey", name: "orderNumber", pattern: body.orderNumber }] : [],
    ranges: [
      { column: "loadingDate", from: body.loadingFrom ?? undefined, to: body.loadingTo ?? undefined },
      { column: "unloadingDate", from: body.unloadingFrom ?? undefined, to: body.unloadingTo ?? undefined },
      { column: "updatedAt", from: body.updatedSince ?? undefined },
    ],
    text: body.text ?? undefined,
    sort: body.sort ?? "-createdAt",
    limit: body.limit ?? defaultPageSize,
    cursor: cursor.value,
    cursorName: cursor.name,
  };
}

/** A VAT code, or all the words of a name. */
const carrierNamed = (carrier: string) => [
  ...vatCodeSearch("carrier", carrier),
  ...(wordsIn(carrier).length > 0 ? [wordsIn(carrier).map((word) => `carrierWord:${word}`)] : []),
];
