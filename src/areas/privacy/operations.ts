import { readScopes } from "../../platform/credential.ts";
import { Answer, hasSeen, mediaType } from "../../http/responses.ts";
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

/** An export holds records of every area. */
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
    summary: "Gather what names a person",
    alsoNeeds: ofAnyArea,
    description:
      "Goes through everything your company has, in the background: records, files, events, webhooks. What names the person is told with its place, and can be fetched for seven days.",
    body: PersonInput,
    selects: true,
    ok: PrivacyRequestView,
    status: 202,
    example: { body: inputExample, reply: { ...example, kind: "Export" } },
    handle: ({ body }, context) => asked("Export", body, context),
  }),

  erase: post("/api/v1/privacy/erase", {
    summary: "Erase a person",
    description:
      "Goes through everything your company has, in the background, until a whole round finds nothing of the person: in records the name, address and number are replaced (`Erased Person`), accounts and their keys and documents of drivers go, files that name the person go with what was read from them, and so do events and deliveries in the logs of webhooks. Words in pictures that were not read are not found. There is no way back, and nothing of the person is kept here either.",
    body: PersonInput,
    selects: true,
    ok: PrivacyRequestView,
    status: 202,
    example: { body: inputExample, reply: example },
    handle: ({ body }, context) => asked("Erase", body, context),
  }),

  read: get("/api/v1/privacy/requests/:privacyRequestId", {
    summary: "See how far it is",
    ok: PrivacyRequestView,
    example: { reply: doneExample },
    decide: (state, _, { id }) => (state ? { reply: viewOf(state, id) } : refuse("not_found")),
  }),

  result: get("/api/v1/privacy/requests/:privacyRequestId/result", {
    summary: "Fetch what was gathered",
    alsoNeeds: ofAnyArea,
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
      if (reply.kind !== "Export") throw new Problem("not_found", "Nothing was to be gathered.");
      if (reply.status === "Running")
        throw new Problem("not_processed_yet", undefined, { headers: { "retry-after": "2" } });
      const all = await gathered(env, reply);
      if (!all) throw new Problem("not_found", "It is no longer kept.");
      const headers = { "content-type": mediaType, "cache-control": "no-store", etag: `"${version}"` };
      return hasSeen(request, headers.etag)
        ? new Response(null, { status: 304, headers })
        : new Response(all, { headers });
    },
  }),
};

async function asked(kind: PrivacyRequest["kind"], person: PersonInput, context: Context) {
  const { reply, ...more } = await context.execute(commands.ask, context.newId, { kind, person });
  const location = `/api/v1/privacy/requests/${reply.privacyRequestId}`;
  return new Answer(reply, { ...more, headers: { location } });
}
