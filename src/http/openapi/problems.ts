import * as z from "zod";
import { externalSources } from "../../platform/external.ts";
import { problemMedia, reasons, type ErrorItem, type Reason } from "../../platform/problem.ts";
import type { Components } from "./components.ts";
import { responseHeaderRefs, type ResponseHeader } from "./headers.ts";

export const ErrorItemViewModel = z
  .object({
    code: z.string().describe("The kind of error."),
    field: z.string().describe("The field, for people: `locations[1].city`."),
    pointer: z
      .string()
      .describe("The field, for programs: a JSON pointer into the body, or a slash and the name of a parameter."),
    message: z.string(),
  })
  .meta({ id: "ErrorItemViewModel" }) satisfies z.ZodType<ErrorItem>;

export const ProblemDetails = z
  .object({
    type: z.string().describe("The page that describes the error code."),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    instance: z.string().describe("The path of the request."),
    requestId: z.string(),
    errorCode: z.string().describe("For programs. New codes may be added."),
  })
  .meta({ id: "ProblemDetails", description: "RFC 9457. Some codes have further members." });

export const ErrorViewModel = ProblemDetails.extend({
  errors: z
    .array(ErrorItemViewModel)
    .min(1)
    .optional()
    .describe("Every wrong field; always present if a body or a query is not valid."),
}).meta({ id: "ErrorViewModel" });

export const ExternalErrorItemViewModel = z
  .object({
    code: z
      .string()
      .describe("Why the system failed: `timeout`, `dns`, `tls`, `connection`, `http_500`, … New codes may be added."),
    message: z.string(),
  })
  .meta({ id: "ExternalErrorItemViewModel" });

export const ExternalErrorViewModel = ErrorViewModel.extend({
  source: z.enum(externalSources).describe("The system that failed. New values may be added."),
  externalStatus: z.number().int().optional().describe("The HTTP status of its response, if it responded."),
  externalErrors: z.array(ExternalErrorItemViewModel).min(1),
}).meta({ id: "ExternalErrorViewModel", description: "An external system that the request needs has failed." });

/** Documents the refusals of an operation, by status. Equal refusals share a component. */
export function refusals(codes: Reason[], components: Components): Record<string, unknown> {
  const byStatus = Map.groupBy(codes, (code) => reasons[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, alike]) => [status, shared(alike.join("."), alike, components)]),
  );
}

/** Documents the errors that every operation may return. */
export const unforeseen = (components: Components) =>
  shared("unforeseen", ["method_not_allowed", "internal_error"], components);

function shared(name: string, codes: Reason[], components: Components): object {
  components.responses[name] ??= refusal(codes, components);
  return { $ref: `#/components/responses/${name}` };
}

function refusal(codes: Reason[], components: Components): object {
  const headers: ResponseHeader[] = [
    "XRequestId",
    "RateLimit",
    "RateLimitPolicy",
    ...new Set(codes.flatMap((code) => headersWith[code] ?? [])),
  ];
  for (const code of codes) components.examples[code] ??= { value: exampleOf(code, components.base) };
  return {
    description: codes.map((code) => `\`${code}\`: ${reasons[code].title}`).join(" "),
    headers: responseHeaderRefs(headers),
    content: {
      [problemMedia]: {
        schema: oneOrAny([...new Set(codes.map(modelOf))].map((model) => components.schemas.of(model, "output"))),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

const modelOf = (code: Reason) =>
  isExternal(code)
    ? ExternalErrorViewModel
    : [400, 422].includes(reasons[code].status)
      ? ErrorViewModel
      : ProblemDetails;

const isExternal = (code: Reason): code is keyof typeof externalExamples => code in externalExamples;

const oneOrAny = (schemas: object[]): object => (schemas.length === 1 ? schemas[0]! : { anyOf: schemas });

const headersWith: Partial<Record<Reason, ResponseHeader[]>> = {
  unauthenticated: ["WWWAuthenticate"],
  key_expired: ["WWWAuthenticate"],
  rate_limited: ["RetryAfter"],
  not_processed_yet: ["RetryAfter"],
  in_progress: ["RetryAfter"],
  external_unavailable: ["RetryAfter"],
  overloaded: ["RetryAfter"],
  freight_archived: ["Link"],
  range_not_satisfiable: ["ContentRange"],
};

const externalExample = (code: string, message: string, externalStatus?: number) => ({
  detail: message,
  source: "TokenServer",
  ...(externalStatus && { externalStatus }),
  externalErrors: [{ code, message }],
});
const externalExamples = {
  external_failure: externalExample("token", "The token server failed: 401 invalid_client", 401),
  external_unavailable: externalExample("http_503", "The token server failed: 503", 503),
  external_timeout: externalExample("timeout", "The token server failed: timeout"),
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
    ...(isExternal(code) && externalExamples[code]),
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
