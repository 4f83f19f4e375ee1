import * as z from "zod";
import { refuse, type Refusal } from "../../platform/decision.ts";
import { Answer } from "../../http/responses.ts";
import { operationsOn, type Context } from "../../http/operation.ts";
import { coordinatesOf } from "../../domain/places/places.ts";
import { Problem } from "../../platform/problem.ts";
import { SequenceQuery } from "../intake/evidence.ts";
import { envelopesOf, isPresent } from "../intake/model.ts";
import { fileOperations } from "../intake/operations.ts";
import { commands } from "./commands.ts";
import { addDefaults } from "./defaults.ts";
import {
  example,
  extractionExample,
  filledExample,
  inputExample,
  mappedExample,
  receivedExample,
  rowExample,
} from "./examples.ts";
import { profileCommands } from "./mapping-profile-operations.ts";
import { applyProfile } from "./mapping-profile.ts";
import {
  FilledOpportunity,
  files,
  MappedOpportunity,
  OpportunityEnvelope,
  OpportunityExtraction,
  OpportunityFileFields,
  OpportunityInput,
  OpportunityRow,
  ReceivedOpportunity,
  viewOf,
  type events,
  type Opportunity,
} from "./model.ts";
import { search } from "./search.ts";
import { textFile } from "./text-file.ts";

const { get, post, del } = operationsOn<Opportunity, typeof events>({
  binding: "OPPORTUNITIES",
  param: "opportunityId",
  scope: "freights",
});

const { receive, remove, original, evidence } = fileOperations(files, commands, {
  location: "/api/v1/opportunities",
  resultOf: (opportunity) => ({ status: opportunity.status, opportunities: envelopesOf(opportunity) }),
  viewOf,
  // After a day, the same text is a new request: "tomorrow" then means another date.
  duplicateMilliseconds: 24 * 60 * 60 * 1000,
});

const fromFile = {
  takesFile: true as const,
  waits: true,
  body: OpportunityFileFields,
  ok: ReceivedOpportunity,
  status: 202 as const,
  example: { body: { metadata: { internalId: "RFQ-771" } }, reply: receivedExample },
};

export const operations = {
  create: post("/api/v1/opportunities", {
    summary: "Extract a request for a quote from text",
    description:
      "Accepts the text of a mail, a chat message or a form. Days such as `Thursday` or `tomorrow` are relative to the day of this request. Returns at once and extracts in the background; with `Prefer: wait=N` the response waits and contains the lanes.",
    body: OpportunityInput,
    waits: true,
    ok: ReceivedOpportunity,
    status: 202,
    refuses: ["file_empty", "file_unreadable", "unsupported_file_type"],
    example: { body: inputExample, reply: receivedExample },
    async handle({ body: { metadata, ...text } }, context) {
      return receive(context, { ...(metadata && { metadata }) }, { file: await textFile(text) });
    },
  }),

  createFromFile: post("/api/v1/opportunities/file", {
    summary: "Extract a request for a quote from a file",
    description:
      "Accepts PDF, DOCX, RTF, XLSX, CSV, TXT, HTML, and mails (EML, MSG) with their attachments. Each row of a table is a lane of its own. Returns at once and extracts in the background. With `Prefer: wait=N` the response waits up to N seconds, at most 30, and contains the lanes.",
    ...fromFile,
    handle: ({ body }, context) => receive(context, body),
  }),

  createFromImage: post("/api/v1/opportunities/image", {
    summary: "Extract a request for a quote from an image",
    description: "Use `POST /api/v1/opportunities/file` instead, which accepts images too.",
    deprecated: true,
    ...fromFile,
    handle: ({ body }, context) => receive(context, body),
  }),

  list: get("/api/v1/opportunities", {
    summary: "List requests for quotes",
    description: "Newest first. A new request appears in the list after about a second.",
    ...search.listing(OpportunityRow),
    example: {
      query: { status: "Succeeded", loadingCountry: "DE", limit: "20" },
      reply: { items: [rowExample], nextCursor: "WyItY3JlYXRlZEF0Il0" },
    },
  }),

  read: get("/api/v1/opportunities/:opportunityId", {
    summary: "Read a request for a quote",
    description:
      "Returns the body of a freight as far as the request states it, the requesting party, and the names of missing fields. If there are several lanes, returns the first, or the one that `sequenceId` names. The status is `Processing` until the extraction ends.",
    query: SequenceQuery,
    ok: OpportunityEnvelope,
    example: { reply: example },
    decide: (state, { query }) => (isPresent(state) ? envelopeAt(state, query.sequenceId) : refuse("not_found")),
  }),

  readLanes: get("/api/v1/opportunities/:opportunityId/lanes", {
    summary: "Read all lanes of a request for a quote",
    description: "Returns one envelope for each lane; none until the extraction ends.",
    ok: z.object({ status: OpportunityEnvelope.shape.status, lanes: z.array(OpportunityEnvelope) }),
    example: { reply: { status: "Succeeded", lanes: [example] } },
    decide: (state) =>
      isPresent(state) ? { reply: { status: state.status, lanes: envelopesOf(state) } } : refuse("not_found"),
  }),

  readDefault: get("/api/v1/opportunities/:opportunityId/default", {
    summary: "Read a request for a quote, completed with defaults",
    description:
      "The returned `data` can be posted as a freight: time windows are widened, missing dates are calculated from the driving time, and common defaults are used for the trailer and other requirements. `defaulted` names the values that were added or changed, `missing` the fields that are still missing.",
    query: SequenceQuery,
    ok: FilledOpportunity,
    example: { reply: filledExample },
    async handle({ params, query }, context) {
      const { envelope, version } = await readLane(params.opportunityId, query.sequenceId, context);
      return new Answer(await withDefaults(envelope, context), { version });
    },
  }),

  readCustom: get("/api/v1/opportunities/:opportunityId/custom", {
    summary: "Read a request for a quote in your own format",
    description:
      "Applies the mapping profile of the company, see `PUT /api/v1/mapping-profiles/opportunities`. Returns 409 if the company has none.",
    query: SequenceQuery,
    ok: MappedOpportunity,
    refuses: ["mapping_not_configured"],
    example: { reply: mappedExample },
    async handle({ params, query }, context) {
      const { caller, send } = context;
      const { envelope, version } = await readLane(params.opportunityId, query.sequenceId, context);
      const { profile } = await send(profileCommands.opportunities, caller.company, {});
      if (!profile) throw new Problem("mapping_not_configured");
      const {
        data,
        transitTime: _,
        defaulted: _filled,
        ...shown
      }: FilledOpportunity = profile.of === "Read" ? envelope : await withDefaults(envelope, context);
      return new Answer({ ...shown, ...(data && { data: applyProfile(data, profile) }) }, { version });
    },
  }),

  remove: del("/api/v1/opportunities/:opportunityId", {
    summary: "Delete a request for a quote",
    description: "Deletes the request with its file and its evidence. Deleting it again returns 204.",
    ...remove,
  }),

  file: get("/api/v1/opportunities/:opportunityId/file", {
    summary: "Download the file or text a request for a quote was extracted from",
    ...original,
    ok: z.string().describe("The original bytes. A text with subject or sender is a mail (`message/rfc822`)."),
  }),

  extraction: get("/api/v1/opportunities/:opportunityId/extraction", {
    summary: "Read the evidence for every field of a request for a quote",
    query: SequenceQuery,
    example: { reply: extractionExample },
    ...evidence(OpportunityExtraction),
  }),
};

function envelopeAt(state: Opportunity, sequenceId = 0): { reply: OpportunityEnvelope } | Refusal {
  const { status, metadata } = state;
  const isProcessing = status === "Processing" && sequenceId === 0;
  const envelope = isProcessing
    ? { sequenceId, status, ...(metadata && { metadata }) }
    : envelopesOf(state)[sequenceId];
  return envelope
    ? { reply: envelope }
    : refuse("not_found", `The opportunity has no lane ${sequenceId}: sequenceId counts its lanes from 0.`);
}

async function readLane(id: string, sequenceId: number | undefined, { execute }: Context) {
  const { reply, version } = await execute(commands.look, id, {});
  const lane = envelopeAt(reply, sequenceId);
  if ("refused" in lane) throw new Problem(lane.refused, lane.detail);
  return { envelope: lane.reply, version };
}

async function withDefaults(envelope: OpportunityEnvelope, { env }: Context) {
  const stops = envelope.data?.locations ?? [];
  const points = await Promise.all(
    stops.map(async ({ address: { countryCode, coordinates, ...place } = {} }) =>
      countryCode ? (coordinates ?? (await coordinatesOf(env, { ...place, countryCode }))) : coordinates,
    ),
  );
  return addDefaults(envelope, points, new Date().toISOString());
}
