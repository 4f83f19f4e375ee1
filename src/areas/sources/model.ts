import * as z from "zod";
import {
  Authentication,
  AuthenticationUpdate,
  AuthenticationView,
  isOfAws,
  shownAuthentication,
} from "../../platform/receivers/index.ts";
import { LineText, choice } from "../../domain/shapes.ts";
import { Problem } from "../../platform/problem.ts";
import type { Source } from "../companies/model.ts";

// What it is

/** The built-in board, which every company has. */
export const board = 1;

export const calls = ["Publish", "Update", "Remove"] as const;
/** What a source is told to do with a freight. */
export type Call = (typeof calls)[number];

const sourceInput = <Auth extends z.ZodType>(authentication: Auth) =>
  z.object({
    name: LineText(100).min(1).describe("What people call it."),
    endpoint: z
      .string()
      .max(2048)
      .optional()
      .describe("https to a public address. Required, but not looked at with `Lambda` and `Sqs`."),
    authentication,
    calls: z
      .array(choice(calls))
      .min(1)
      .max(calls.length)
      .optional()
      .describe("What it wants to be told of; all when not said. A price that grows is an `Update` at each step."),
    alternativeLocations: z
      .boolean()
      .optional()
      .describe("Whether it may be told the alternative locations of freights that have some; `false` when not said."),
  });

export const SourceInput = sourceInput(
  Authentication.optional().describe(
    "How we prove to it who we are; `None` when not said. Calls are signed in any case.",
  ),
)
  .superRefine(
    ({ endpoint, authentication }, context) => {
      if (endpoint === undefined && !(authentication && isOfAws(authentication)))
        context.addIssue({ code: "invalid_type", expected: "string", input: undefined, path: ["endpoint"] });
    },
    { when: ({ value }) => typeof value === "object" && value !== null },
  )
  .meta({ id: "SourceInput" });
export type SourceInput = z.output<typeof SourceInput>;

/** Whether `endpoint` must be there depends on the authentication that stays when none is sent. */
export const SourceUpdate = sourceInput(
  AuthenticationUpdate.optional().describe(
    "Stays as it is when not sent. A secret that is left out, or sent as `***`, stays too, unless `endpoint` or `tokenUrl` changes: then send it again.",
  ),
).meta({ id: "SourceUpdate" });
export type SourceUpdate = z.output<typeof SourceUpdate>;

export const SourceView = z
  .object({
    source: z.number().int().describe("As the `sources` of freights name it: 1 is the built-in board."),
    name: z.string(),
    builtIn: z.boolean(),
    url: z.string().optional().describe("Where people see what is published there; of the built-in board only."),
    endpoint: z.string().optional(),
    authentication: AuthenticationView.optional(),
    calls: z.array(z.enum(calls)),
    alternativeLocations: z.boolean(),
    createdAt: z.string().optional(),
    updatedAt: z.string().optional(),
  })
  .meta({ id: "Source" });
export type SourceView = z.output<typeof SourceView>;

export const NewSource = SourceView.extend({
  secret: z.string().describe("`whsec_` and base64; shown only in this answer."),
}).meta({ id: "NewSource" });

export const inputExample = {
  name: "Exchange of our partners",
  endpoint: "https://exchange.beispiel.de/lorry",
  authentication: { type: "ApiKey" as const, headerName: "X-Api-Key", apiKey: "k3y" },
};

export const sourceExample: SourceView = {
  source: 2,
  name: inputExample.name,
  builtIn: false,
  endpoint: inputExample.endpoint,
  authentication: { ...inputExample.authentication, apiKey: "***" },
  calls: [...calls],
  alternativeLocations: false,
  createdAt: "2026-11-20T08:10:00.000Z",
  updatedAt: "2026-11-20T08:10:00.000Z",
};

export function boardView(address: string): SourceView {
  const url = `${address}/board`;
  return { source: board, name: "Board", builtIn: true, url, calls: [...calls], alternativeLocations: false };
}

export function viewOf({ source, name, endpoint, authentication, calls: wanted, ...rest }: Source): SourceView {
  return {
    source,
    name,
    builtIn: false,
    ...(endpoint !== undefined && { endpoint }),
    authentication: shownAuthentication(authentication),
    calls: wanted,
    alternativeLocations: rest.alternativeLocations,
    createdAt: rest.createdAt,
    updatedAt: rest.updatedAt ?? rest.createdAt,
  };
}

/** @throws Problem `not_found`: a text is the number of no source */
export function numberOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Problem("not_found");
  return Number(text);
}
