import * as z from "zod";
import {
  Authentication,
  AuthenticationUpdate,
  AuthenticationView,
  derivesAddress,
  toAuthenticationView,
} from "../../platform/receivers/index.ts";
import { LineText, choice } from "../../domain/shapes.ts";
import { Problem } from "../../platform/problem.ts";
import type { Source } from "../companies/model.ts";

/** Number of the built-in board, which every company has. */
export const board = 1;

export const calls = ["Publish", "Update", "Remove"] as const;
/** The calls that a source can receive. */
export type Call = (typeof calls)[number];

const sourceInput = <Auth extends z.ZodType>(authentication: Auth) =>
  z.object({
    name: LineText(100).min(1).describe("Display name."),
    endpoint: z
      .string()
      .max(2048)
      .optional()
      .describe("https URL of a public address. Required, except with `Lambda` and `Sqs`, which ignore it."),
    authentication,
    calls: z
      .array(choice(calls))
      .min(1)
      .max(calls.length)
      .optional()
      .describe("The actions that it is called for. Default: all. Each step of a growing price is an `Update`."),
    alternativeLocations: z
      .boolean()
      .optional()
      .describe("Whether calls include the alternative locations of freights. Default: `false`."),
  });

export const SourceInput = sourceInput(
  Authentication.optional().describe(
    "How Lorry authenticates to the connector. Default: `None`. Calls are always signed.",
  ),
)
  .superRefine(
    ({ endpoint, authentication }, context) => {
      if (endpoint === undefined && !(authentication && derivesAddress(authentication)))
        context.addIssue({ code: "invalid_type", expected: "string", input: undefined, path: ["endpoint"] });
    },
    { when: ({ value }) => typeof value === "object" && value !== null },
  )
  .meta({ id: "SourceInput" });
export type SourceInput = z.output<typeof SourceInput>;

/** An update. If it contains no authentication, the stored authentication decides whether `endpoint` is required. */
export const SourceUpdate = sourceInput(
  AuthenticationUpdate.optional().describe(
    "Kept if not sent. A secret that is omitted or sent as `***` is kept too, unless `endpoint` or `tokenUrl` changes: then send it again.",
  ),
).meta({ id: "SourceUpdate" });
export type SourceUpdate = z.output<typeof SourceUpdate>;

export const SourceView = z
  .object({
    source: z.number().int().describe("The number used in `sources` of freights; 1 is the built-in board."),
    name: z.string(),
    builtIn: z.boolean(),
    url: z.string().optional().describe("Address at which its freights are shown; for the built-in board only."),
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
  secret: z.string().describe("`whsec_` and base64; returned only in this response."),
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
    authentication: toAuthenticationView(authentication),
    calls: wanted,
    alternativeLocations: rest.alternativeLocations,
    createdAt: rest.createdAt,
    updatedAt: rest.updatedAt ?? rest.createdAt,
  };
}

/** Parses the number of a source. @throws Problem `not_found` if the text is not such a number */
export function numberOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Problem("not_found");
  return Number(text);
}
