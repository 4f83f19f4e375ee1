import * as z from "zod";
import { anyOf, listArchive, tight, type ArchiveQuery } from "../../platform/archive/archive.ts";
import { fileAnswer } from "../../http/file-response.ts";
import { Answer } from "../../http/responses.ts";
import { operationsOn, type Context } from "../../http/operation.ts";
import { listOf, listParameters } from "../../platform/lists.ts";
import { choice, Country, QueryClock, QueryClockEnd } from "../../domain/shapes.ts";
import { driverDocumentTypes } from "../../extraction/kinds/driver-document/view.ts";
import { extractionOf, takeIn } from "../intake/index.ts";
import { folder, thereTerm, viewOf, type DriverDocument, type events } from "./document.ts";
import { extractionExample, inputExample, receivedExample, viewExample } from "./examples.ts";
import {
  DriverDocumentExtraction,
  DriverDocumentFields,
  DriverDocumentInput,
  driverDocumentStatuses,
  DriverDocumentView,
  ReceivedDriverDocument,
} from "./shapes.ts";
import { commands } from "./commands.ts";
import { daysLeft, standing } from "./validity.ts";

const { get, post, put, del } = operationsOn<DriverDocument, typeof events>({
  binding: "DRIVERS_DOCUMENTS",
  param: "documentId",
  scope: "documents",
});

const ListQuery = z.object({
  ...listParameters(["createdAt", "updatedAt", "expiresAt"]),
  type: choice(driverDocumentTypes).optional(),
  status: choice(driverDocumentStatuses).optional(),
  number: z.string().max(100).optional().describe("Blanks, dashes and case do not matter."),
  issuingCountry: Country.optional(),
  driverEmail: z.string().max(254).optional(),
  expiresFrom: QueryClock.optional().describe("A date; a time is left aside."),
  expiresTo: QueryClockEnd.optional(),
  internalId: z.string().max(512).optional(),
  text: z.string().max(200).optional().describe("Words, such as the driver's name; each may be the beginning of one."),
});

export const operations = {
  create: post("/api/v1/drivers-documents", {
    summary: "Read a document of a driver",
    description:
      "Driving licences, driver cards, code 95, ADR certificates, identity cards, passports, residence permits, A1 and medical certificates: as a form, as the raw bytes, or in JSON with `file` in base64. The answer comes at once; with `Prefer: wait=N` it waits and then holds the document. One of the same driver and type that is valid for longer replaces the one before. From 60 days before it expires you are told: `DriverDocumentExpiring`, in the end `DriverDocumentExpired`.",
    takesFile: true,
    takesBase64: true,
    waits: true,
    body: DriverDocumentFields,
    ok: ReceivedDriverDocument,
    status: 202,
    refuses: ["in_progress"],
    example: { body: { driver: "Jan Przykładowy", type: "DrivingLicence" }, reply: receivedExample },
    handle: ({ body }, context) => receive(context, body),
  }),

  list: get("/api/v1/drivers-documents", {
    summary: "List drivers' documents",
    description:
      "Newest first; `sort=expiresAt` shows what expires first. A document appears about a second after it came.",
    query: ListQuery,
    ok: listOf(DriverDocumentView),
    example: { query: { status: "ExpiringSoon", sort: "expiresAt" }, reply: { items: [viewExample] } },
    async handle({ query }, { env, caller }) {
      const at = new Date().toISOString();
      const list = await listArchive<DriverDocumentView>(env.ARCHIVE, asked(query, caller.company));
      return { ...list, items: list.items.map((item) => asOf(item, at)) };
    },
  }),

  read: get("/api/v1/drivers-documents/:documentId", {
    summary: "Read a document of a driver",
    ok: DriverDocumentView,
    example: { reply: viewExample },
    command: commands.view,
  }),

  update: put("/api/v1/drivers-documents/:documentId", {
    summary: "Say what is known of a document of a driver",
    description:
      "What is sent goes before what was read; what is left out is as it was read. `metadata` stay when they are not sent. Another last day is counted down anew. What is sent as it was changes no version.",
    body: DriverDocumentInput,
    ok: DriverDocumentView,
    example: { body: inputExample, reply: viewExample },
    async handle({ params, body: { metadata, ...said } }, { execute }) {
      const ask = { said: definite(said), ...(metadata && { metadata }) };
      const { reply, ...more } = await execute(commands.say, params.documentId, ask);
      return new Answer(reply, more);
    },
  }),

  remove: del("/api/v1/drivers-documents/:documentId", {
    summary: "Remove a document of a driver",
    description: "Nothing of it is kept, nor its file. Again: 204 again.",
    ok: z.object({}),
    status: 204,
    command: commands.remove,
  }),

  file: get("/api/v1/drivers-documents/:documentId/file", {
    summary: "Download the file a document of a driver was read from",
    givesFile: true,
    ok: z.string().describe("The original bytes."),
    async handle({ params }, { env, request, look }) {
      const { file } = await look(commands.look, params.documentId, {});
      return fileAnswer(env.FILES, file, request);
    },
  }),

  extraction: get("/api/v1/drivers-documents/:documentId/extraction", {
    summary: "Read the evidence for every field of a document of a driver",
    ok: DriverDocumentExtraction,
    refuses: ["not_processed_yet"],
    example: { reply: extractionExample },
    async handle({ params: { documentId: id } }, context) {
      const now = await context.look(commands.look, id, {});
      return extractionOf<DriverDocumentExtraction>(context, now, { folder, id });
    },
  }),
};

/** Only what is there, as it is after a way through JSON. */
const definite = <T extends object>(fields: T): T => JSON.parse(JSON.stringify(fields)) as T;

/** A row of the archive as time has it now. */
function asOf(item: DriverDocumentView, at: string): DriverDocumentView {
  const counts = ["Valid", "ExpiringSoon", "Expired"].includes(item.status);
  const left = daysLeft(item, at);
  return {
    ...item,
    ...(counts && { status: standing(item, at) }),
    ...(left !== undefined && { daysLeft: left }),
  };
}

async function receive(
  context: Context,
  { metadata, ...fields }: z.output<typeof DriverDocumentFields>,
): Promise<Answer<z.input<typeof ReceivedDriverDocument>>> {
  const door = { binding: "DRIVERS_DOCUMENTS" as const, folder, commands };
  const said = definite(fields);
  const { id, reply, replayed, record } = await takeIn(door, context, context.file!, {
    ...(Object.keys(said).length > 0 && { said }),
    ...(metadata && { metadata }),
  });
  const headers = { location: `/api/v1/drivers-documents/${id}` };
  if (!record) return new Answer(reply, { replayed, headers });
  const document = viewOf(record, id, new Date().toISOString());
  const done = record.status !== "Processing";
  return new Answer(
    { ...reply, status: document.status, ...(done && { document }) },
    { replayed, headers, ...(done && { status: 200 }) },
  );
}

function asked(query: z.output<typeof ListQuery>, company: string): ArchiveQuery {
  const { number, driverEmail } = query;
  const terms = [
    thereTerm,
    ...(["type", "status", "issuingCountry", "internalId"] as const).flatMap((name) =>
      query[name] ? [`${name}:${query[name]}`] : [],
    ),
    ...(number ? [`number:${tight(number)}`] : []),
    ...(driverEmail ? [`driverEmail:${driverEmail.trim().toLowerCase()}`] : []),
  ];
  return {
    table: "driversDocuments",
    company,
    terms: terms.map((term) => anyOf(term)),
    ranges: [
      { column: "expiresAt", from: query.expiresFrom?.slice(0, 10), to: query.expiresTo?.slice(0, 10) },
      { column: "updatedAt", from: query.updatedSince },
    ],
    text: query.text,
    sort: query.sort ?? "-createdAt",
    limit: query.limit ?? 50,
    cursor: query.cursor,
  };
}
