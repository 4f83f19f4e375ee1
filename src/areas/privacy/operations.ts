import { readScopes } from "../../platform/credential.ts";
import { Answer, matchesEtag, mediaType } from "../../http/responses.ts";
import { refuse } from "../../platform/decision.ts";
import { operationsOn, type Context } from "../../http/operation.ts";
import { Problem } from "../../platform/problem.ts";
import { gathered } from "./export.ts";
import { commands } from "./commands.ts";
import { retentionOperations } from "./retention.ts";
import { PersonInput, PrivacyExport, PrivacyRequestView, type PrivacyRequest, type events, viewOf } from "./model.ts";

const { get, post } = operationsOn<PrivacyRequest, typeof events>({
  binding: "PRIVACY",
  param: "privacyRequestId",
  scope: "accounts",
});

/** An export contains records of all areas. */
const ofAnyArea = readScopes.filter((scope) => scope !== "accounts:read");

const inputExample = { email: "petra.beispiel@fahrer.example", name: "Petra Beispiel" };
const example: PrivacyRequestView = {
  privacyRequestId: "0193a5f4-2b61-7f08-9c44-7d8e9f0a1b2c",
  kind: "Erase",
  status: "Running",
  records: 0,
  files: 0,
  events: 0,
  createdAt: "2026-11-23T09:00:00.000Z",
  updatedAt: "2026-11-23T09:00:00.000Z",
};
const doneExample: PrivacyRequestView = { ...example, status: "Done", records: 4, files: 3, events: 11 };

export const operations = {
  ...retentionOperations,

  export: post("/api/v1/privacy/export", {
    summary: "Export a person's data",
    additionalScopes: ofAnyArea,
    description:
      "Searches all data of your company in the background: records, files, events, webhooks. The result lists each mention of the person with its location and can be fetched for seven days.",
    body: PersonInput,
    selects: true,
    ok: PrivacyRequestView,
    status: 202,
    example: { body: inputExample, reply: { ...example, kind: "Export" } },
    handle: ({ body }, context) => createRequest("Export", body, context),
  }),

  erase: post("/api/v1/privacy/erase", {
    summary: "Erase a person",
    description:
      "Searches all data of your company in the background and repeats until a full pass finds no mention of the person. In records, name, address and number are replaced (`Erased Person`); the person's accounts with their keys and driver documents are deleted; so are files that name the person with the data extracted from them, events, and deliveries in webhook logs. Text in images that were not processed by OCR is not found. This cannot be undone, and the request itself keeps no data of the person.",
    body: PersonInput,
    selects: true,
    ok: PrivacyRequestView,
    status: 202,
    example: { body: inputExample, reply: example },
    handle: ({ body }, context) => createRequest("Erase", body, context),
  }),

  read: get("/api/v1/privacy/requests/:privacyRequestId", {
    summary: "Read the status of a privacy request",
    ok: PrivacyRequestView,
    example: { reply: doneExample },
    decide: (state, _, { id }) => (state ? { reply: viewOf(state, id) } : refuse("not_found")),
  }),

  result: get("/api/v1/privacy/requests/:privacyRequestId/result", {
    summary: "Download an export",
    additionalScopes: ofAnyArea,
    ok: PrivacyExport,
    refuses: ["not_processed_yet"],
    example: {
      reply: {
        person: inputExample,
        createdAt: "2026-11-23T09:00:04.000Z",
        records: [
          {
            type: "Vehicle",
            id: "0193a5f2-1c2d-7e3f-8a4b-5c6d7e8f9a0b",
            url: "/api/v1/vehicles/0193a5f2-1c2d-7e3f-8a4b-5c6d7e8f9a0b",
            mentions: [{ pointer: "/assignments/0/driver/name", value: "Petra Beispiel" }],
          },
        ],
        files: ["/api/v1/orders/0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77/file"],
        events: [],
      },
    },
    async handle({ params: { privacyRequestId: id } }, { env, request, execute }) {
      const { reply, version } = await execute(commands.look, id, {});
      if (reply.kind !== "Export") throw new Problem("not_found", "The request is an erasure, so it has no export.");
      if (reply.status === "Running")
        throw new Problem("not_processed_yet", undefined, { headers: { "retry-after": "2" } });
      const all = await gathered(env, reply);
      if (!all) throw new Problem("not_found", "The export has expired.");
      const headers = { "content-type": mediaType, "cache-control": "no-store", etag: `"${version}"` };
      return matchesEtag(request, headers.etag)
        ? new Response(null, { status: 304, headers })
        : new Response(all, { headers });
    },
  }),
};

async function createRequest(kind: PrivacyRequest["kind"], person: PersonInput, context: Context) {
  const { reply, ...more } = await context.execute(commands.ask, context.newId, { kind, person });
  const location = `/api/v1/privacy/requests/${reply.privacyRequestId}`;
  return new Answer(reply, { ...more, headers: { location } });
}
