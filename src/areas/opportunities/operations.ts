import * as z from "zod";
import { anyOf, listArchive, tight, type ArchiveQuery } from "../../platform/archive/archive.ts";
import { refuse, type Refusal } from "../../platform/decision.ts";
import { fileAnswer } from "../../http/file-response.ts";
import type { UploadedFile } from "../../platform/files.ts";
import { Answer } from "../../http/responses.ts";
import { trailerTypes } from "../../domain/mappings.ts";
import { operationsOn, type Context } from "../../http/operation.ts";
import { vatCodeSearch } from "../../domain/parties.ts";
import { coordinatesOf } from "../../domain/places/places.ts";
import { Problem } from "../../platform/problem.ts";
import { listOf, listParameters } from "../../platform/lists.ts";
import {
  choice,
  Country,
  entryOf,
  processingStatuses,
  QueryClock,
  QueryClockEnd,
  QueryMoment,
  QueryMomentEnd,
} from "../../domain/shapes.ts";
import { extractionOf, isThere, SequenceQuery, takeIn, told, type Received } from "../intake/index.ts";
import { filled } from "./defaults.ts";
import { viewOf } from "./envelope.ts";
import {
  example,
  extractionExample,
  filledExample,
  inputExample,
  mappedExample,
  receivedExample,
  rowExample,
} from "./examples.ts";
import { fileOf } from "./letter.ts";
import { folder, type events, type Opportunity } from "./opportunity.ts";
import { mapped } from "./profile.ts";
import { profileCommands } from "./profile-operations.ts";
import {
  FilledOpportunity,
  MappedOpportunity,
  OpportunityEnvelope,
  OpportunityExtraction,
  OpportunityFileFields,
  OpportunityInput,
  OpportunityRow,
  ReceivedOpportunity,
} from "./shapes.ts";
import { commands } from "./commands.ts";

/** The same words another day are another request: "tomorrow" is another day then. */
const sameMilliseconds = 24 * 60 * 60 * 1000;

const { get, post, del } = operationsOn<Opportunity, typeof events>({
  binding: "OPPORTUNITIES",
  param: "opportunityId",
  scope: "freights",
});

const ListQuery = z.object({
  ...listParameters(["createdAt", "updatedAt", "loadingDate", "unloadingDate"]),
  status: choice(processingStatuses).optional(),
  externalNumber: z.string().max(200).optional().describe("Blanks, dashes and case do not matter."),
  requestedByVatCode: z.string().max(50).optional(),
  requestedByEmail: z.string().max(254).optional(),
  trailerType: entryOf(trailerTypes).optional(),
  loadingCountry: Country.optional(),
  unloadingCountry: Country.optional(),
  loadingFrom: QueryClock.optional().describe("By the clock at the stop; an offset is left aside."),
  loadingTo: QueryClockEnd.optional(),
  unloadingFrom: QueryClock.optional().describe("By the clock at the stop; an offset is left aside."),
  unloadingTo: QueryClockEnd.optional(),
  createdFrom: QueryMoment.optional(),
  createdTo: QueryMomentEnd.optional(),
  internalId: z.string().max(512).optional(),
  text: z.string().max(200).optional().describe("Words; each may be the beginning of one."),
});

const fileDescription =
  "PDF, DOCX, RTF, XLSX, CSV, TXT, HTML, and mails (EML, MSG) with their attachments. Of a table each row is a lane of its own. The answer comes at once; with `Prefer: wait=N` it waits up to N seconds (30 at most) and then holds the lanes.";

export const operations = {
  create: post("/api/v1/opportunities", {
    summary: "Read a request for a quote from text",
    description:
      "A mail, a chat note or a form as words. Days such as `Thursday` or `tomorrow` are reckoned from the day it is sent here. The answer comes at once; with `Prefer: wait=N` it waits and then holds the lanes.",
    body: OpportunityInput,
    waits: true,
    ok: ReceivedOpportunity,
    status: 202,
    refuses: ["file_empty", "file_unreadable", "unsupported_file_type"],
    example: { body: inputExample, reply: receivedExample },
    async handle({ body: { metadata, ...words } }, context) {
      return receive(context, await fileOf(words), { ...(metadata && { metadata }) });
    },
  }),

  createFromFile: post("/api/v1/opportunities/file", {
    summary: "Read a request for a quote from a file",
    description: fileDescription,
    takesFile: true,
    waits: true,
    body: OpportunityFileFields,
    ok: ReceivedOpportunity,
    status: 202,
    example: { body: { metadata: { internalId: "RFQ-771" } }, reply: receivedExample },
    handle: ({ body }, context) => receive(context, context.file!, body),
  }),

  createFromImage: post("/api/v1/opportunities/image", {
    summary: "Read a request for a quote from a picture",
    description: "The same as `POST /api/v1/opportunities/file`, which takes pictures too: use that.",
    deprecated: true,
    takesFile: true,
    waits: true,
    body: OpportunityFileFields,
    ok: ReceivedOpportunity,
    status: 202,
    example: { body: { metadata: { internalId: "RFQ-771" } }, reply: receivedExample },
    handle: ({ body }, context) => receive(context, context.file!, body),
  }),

  list: get("/api/v1/opportunities", {
    summary: "List requests for quotes",
    description: "Newest first. One appears about a second after it came.",
    query: ListQuery,
    ok: listOf(OpportunityRow),
    example: {
      query: { status: "Succeeded", loadingCountry: "DE", limit: "20" },
      reply: { items: [rowExample], nextCursor: "WyItY3JlYXRlZEF0Il0" },
    },
    handle: async ({ query }, { env, caller }) =>
      listArchive<OpportunityRow>(env.ARCHIVE, asked(query, caller.company)),
  }),

  read: get("/api/v1/opportunities/:opportunityId", {
    summary: "Read a request for a quote",
    description:
      "The body of a freight as far as the request gives it, who asks, and what is missing. Of a file with several lanes the first, or the one `sequenceId` names. While it is being read the status is `Processing`.",
    query: SequenceQuery,
    ok: OpportunityEnvelope,
    example: { reply: example },
    decide: (state, { query }) => (isThere(state) ? envelopeAt(state, query.sequenceId) : refuse("not_found")),
  }),

  readLanes: get("/api/v1/opportunities/:opportunityId/lanes", {
    summary: "Read all lanes of a request for a quote",
    description: "One envelope for each; none while it is being read.",
    ok: z.object({ status: OpportunityEnvelope.shape.status, lanes: z.array(OpportunityEnvelope) }),
    example: { reply: { status: "Succeeded", lanes: [example] } },
    decide: (state) => (isThere(state) ? { reply: { status: state.status, lanes: told(state) } } : refuse("not_found")),
  }),

  readDefault: get("/api/v1/opportunities/:opportunityId/default", {
    summary: "Read a request for a quote, filled up",
    description:
      "`data` can be posted as a freight: time windows are widened, days nobody said are reckoned from the way, trailers and the like are the usual ones. `defaulted` names what was not read like this; `missing` what is still missing.",
    query: SequenceQuery,
    ok: FilledOpportunity,
    example: { reply: filledExample },
    async handle({ params, query }, context) {
      const { envelope, version } = await found(params.opportunityId, query.sequenceId, context);
      return new Answer(await filledUp(envelope, context), { version });
    },
  }),

  readCustom: get("/api/v1/opportunities/:opportunityId/custom", {
    summary: "Read a request for a quote in your own form",
    description:
      "As the mapping profile of your company says: see `PUT /api/v1/mapping-profiles/opportunities`. Without one: 409.",
    query: SequenceQuery,
    ok: MappedOpportunity,
    refuses: ["mapping_not_configured"],
    example: { reply: mappedExample },
    async handle({ params, query }, context) {
      const { caller, look } = context;
      const { envelope, version } = await found(params.opportunityId, query.sequenceId, context);
      const { profile } = await look(profileCommands.opportunities, caller.company, {});
      if (!profile) throw new Problem("mapping_not_configured");
      const {
        data,
        transitTime: _,
        defaulted: _filled,
        ...shown
      }: FilledOpportunity = profile.of === "Read" ? envelope : await filledUp(envelope, context);
      return new Answer({ ...shown, ...(data && { data: mapped(data, profile) }) }, { version });
    },
  }),

  remove: del("/api/v1/opportunities/:opportunityId", {
    summary: "Delete a request for a quote",
    description: "With its file and its evidence. Again: 204 again.",
    ok: z.object({}),
    status: 204,
    command: commands.remove,
  }),

  file: get("/api/v1/opportunities/:opportunityId/file", {
    summary: "Download what a request for a quote was read from",
    givesFile: true,
    ok: z.string().describe("The original bytes; words with a subject or a sender as the mail they came in."),
    async handle({ params }, { env, request, look }) {
      const { file } = await look(commands.look, params.opportunityId, {});
      return fileAnswer(env.FILES, file, request);
    },
  }),

  extraction: get("/api/v1/opportunities/:opportunityId/extraction", {
    summary: "Read the evidence for every field of a request for a quote",
    description: "Where each value stands, how sure it is, and which checks it passed.",
    query: SequenceQuery,
    ok: OpportunityExtraction,
    refuses: ["not_processed_yet"],
    example: { reply: extractionExample },
    async handle({ params: { opportunityId: id }, query: { sequenceId } }, context) {
      const now = await context.look(commands.look, id, {});
      return extractionOf<OpportunityExtraction>(context, now, { folder, id, sequenceId }, viewOf);
    },
  }),
};

/** One lane; before it is read only how far that is. */
function envelopeAt(now: Opportunity, sequenceId = 0): { reply: OpportunityEnvelope } | Refusal {
  const { status, metadata } = now;
  const isBeingRead = status === "Processing" && sequenceId === 0;
  const envelope = isBeingRead ? { sequenceId, status, ...(metadata && { metadata }) } : told(now)[sequenceId];
  return envelope ? { reply: envelope } : refuse("not_found", `The request has ${now.envelopes.length} lanes.`);
}

/** @throws Problem `not_found` */
async function found(id: string, sequenceId: number | undefined, { execute }: Context) {
  const { reply, version } = await execute(commands.look, id, {});
  const at = envelopeAt(reply, sequenceId);
  if ("refused" in at) throw new Problem(at.refused, at.detail);
  return { envelope: at.reply, version };
}

async function filledUp(envelope: OpportunityEnvelope, { env }: Context) {
  const stops = envelope.data?.locations ?? [];
  const points = await Promise.all(
    stops.map(async ({ address: { countryCode, coordinates, ...place } = {} }) =>
      countryCode ? (coordinates ?? (await coordinatesOf(env, { ...place, countryCode }))) : coordinates,
    ),
  );
  return filled(envelope, points, new Date().toISOString());
}

async function receive(
  context: Context,
  file: UploadedFile,
  said: Omit<Received, "file">,
): Promise<Answer<z.input<typeof ReceivedOpportunity>>> {
  const door = { binding: "OPPORTUNITIES" as const, folder, commands };
  const same = { milliseconds: sameMilliseconds };
  const { reply, replayed, record } = await takeIn(door, context, file, said, same);
  const headers = { location: `/api/v1/opportunities/${reply.opportunityId}` };
  if (!record) return new Answer(reply, { replayed, headers });
  const done = record.status !== "Processing";
  return new Answer(
    { ...reply, status: record.status, ...(done && { opportunities: told(record) }) },
    { replayed, headers, ...(done && { status: 200 }) },
  );
}

/** Terms of the archive that the list asks for as they stand. */
const [exact, tightened] = [
  ["status", "trailerType", "loadingCountry", "unloadingCountry", "internalId"],
  ["externalNumber"],
] as const;

function asked(query: z.output<typeof ListQuery>, company: string): ArchiveQuery {
  const { requestedByEmail, requestedByVatCode } = query;
  const terms = [
    ...exact.flatMap((name) => (query[name] === undefined ? [] : [`${name}:${query[name]}`])),
    ...tightened.flatMap((name) => (query[name] ? [`${name}:${tight(query[name])}`] : [])),
    ...(requestedByEmail ? [`requestedByEmail:${requestedByEmail.trim().toLowerCase()}`] : []),
  ];
  return {
    table: "opportunities",
    company,
    terms: [
      ...terms.map((term) => anyOf(term)),
      ...(requestedByVatCode ? [vatCodeSearch("requestedByVatCode", requestedByVatCode)] : []),
    ],
    ranges: [
      { column: "loadingDate", from: query.loadingFrom, to: query.loadingTo },
      { column: "unloadingDate", from: query.unloadingFrom, to: query.unloadingTo },
      { column: "createdAt", from: query.createdFrom, to: query.createdTo },
      { column: "updatedAt", from: query.updatedSince },
    ],
    text: query.text,
    sort: query.sort ?? "-createdAt",
    limit: query.limit ?? 50,
    cursor: query.cursor,
  };
}
