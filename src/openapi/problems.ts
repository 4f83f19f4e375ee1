import * as z from "zod";
import { problemMedia, reasons, type ErrorItem, type Reason } from "../kit/problem.ts";
import type { Components } from "./components.ts";
import { headerRefs, type HeaderName } from "./headers.ts";

export const ErrorItemViewModel = z
  .object({
    code: z.string().describe("What is wrong with it."),
    field: z.string().describe("Where, for people: `locations[1].city`."),
    pointer: z
      .string()
      .describe("Where, for programs: a JSON pointer into the body; a parameter is its name after a slash."),
    message: z.string(),
  })
  .meta({ id: "ErrorItemViewModel" }) satisfies z.ZodType<ErrorItem>;

export const ProblemDetails = z
  .object({
    type: z.string().describe("The page that explains the code."),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    instance: z.string().describe("The path that was asked for."),
    requestId: z.string(),
    errorCode: z.string().describe("For programs. New codes may come."),
  })
  .meta({ id: "ProblemDetails", description: "RFC 9457. Some codes say more in members of their own." });

export const ErrorViewModel = ProblemDetails.extend({
  errors: z
    .array(ErrorItemViewModel)
    .min(1)
    .optional()
    .describe("Every wrong field; always there when a body or a query is not valid."),
}).meta({ id: "ErrorViewModel" });

/** The refusals of one operation by status; operations that refuse alike share them. */
export function refusals(codes: Reason[], components: Components): Record<string, unknown> {
  const byStatus = Map.groupBy(codes, (code) => reasons[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, alike]) => [status, shared(alike.join("."), alike, components)]),
  );
}

/** What any operation may answer when something unforeseen happens. */
export const unforeseen = (components: Components) =>
  shared("unforeseen", ["method_not_allowed", "internal_error"], components);

function shared(name: string, codes: Reason[], components: Components): object {
  components.responses[name] ??= refusal(codes, components);
  return { $ref: `#/components/responses/${name}` };
}

function refusal(codes: Reason[], components: Components): object {
  const itemised = codes.some((code) => reasons[code].status === 400 || reasons[code].status === 422);
  const headers: HeaderName[] = [
    "XRequestId",
    "RateLimit",
    "RateLimitPolicy",
    ...new Set(codes.flatMap((code) => headersWith[code] ?? [])),
  ];
  for (const code of codes) components.examples[code] ??= { value: exampleOf(code, components.base) };
  return {
    description: codes.map((code) => `\`${code}\`: ${reasons[code].title}`).join(" "),
    headers: headerRefs(headers),
    content: {
      [problemMedia]: {
        schema: components.schemas.of(itemised ? ErrorViewModel : ProblemDetails, "output"),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

const headersWith: Partial<Record<Reason, HeaderName[]>> = {
  unauthenticated: ["WWWAuthenticate"],
  key_expired: ["WWWAuthenticate"],
  rate_limited: ["RetryAfter"],
  not_processed_yet: ["RetryAfter"],
  in_progress: ["RetryAfter"],
  overloaded: ["RetryAfter"],
  freight_archived: ["Link"],
  range_not_satisfiable: ["ContentRange"],
};

function exampleOf(code: Reason, base: string): object {
  const { status, title } = reasons[code];
  const id = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77";
  const problem = {
    type: `${base}/errors/${code}`,
    title,
    status,
    detail: title,
    instance: `/api/v1/orders/${id}`,
    requestId: id,
    errorCode: code,
  };
  if (code !== "validation_failed") return problem;
  const item = {
    code: "required",
    field: "locations[1].countryCode",
    pointer: "/locations/1/countryCode",
    message: "countryCode is required.",
  };
  return { ...problem, detail: "1 field is wrong.", errors: [item] };
}
