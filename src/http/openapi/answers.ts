import { mediaType, plainMedia } from "../responses.ts";
import type { Operation } from "../operation.ts";
import type { Components } from "./components.ts";
import { responseHeaderRefs, type ResponseHeader } from "./headers.ts";
import { refusals, unforeseen } from "./problems.ts";
import { givesVersion, isScoped, reasonsOf, takesIdempotencyKey, takesIfNoneMatch } from "./row.ts";

/** Documents the responses of an operation, by status. */
export function responses(row: Operation, components: Components): Record<string, unknown> {
  return {
    ...goodAnswers(row, components),
    ...(takesIfNoneMatch(row) && {
      304: { description: "The client already has this version.", headers: responseHeaderRefs(headersOf(row)) },
    }),
    ...refusals(reasonsOf(row), components),
    default: unforeseen(components),
  };
}

const meaning = {
  200: "Success.",
  201: "Created.",
  202: "Accepted; processing continues in the background.",
  204: "Success, without a body.",
};

function goodAnswers(row: Operation, components: Components): Record<string, unknown> {
  const status = row.status ?? 200;
  if (row.returnsFile) return fileAnswers(row);
  const headers = responseHeaderRefs(headersOf(row));
  if (status === 204) return { 204: { description: meaning[204], headers } };
  const content = {
    [mediaType]: {
      schema: components.schemas.of(row.ok, "output"),
      ...(row.example?.reply !== undefined && { example: row.example.reply }),
    },
  };
  const plain = { [plainMedia]: { schema: { type: "string" }, example: "{}" } };
  return {
    [status]: {
      description: meaning[status],
      headers,
      content: row.idHeader ? { ...plain, ...content } : content,
    },
    ...(row.orStatus && { [row.orStatus]: { description: meaning[row.orStatus], headers, content } }),
    ...(status === 202 &&
      row.waits && { 200: { description: "Processing was complete before the wait ended.", headers, content } }),
  };
}

function fileAnswers(row: Operation): Record<string, unknown> {
  const headers = headersOf(row);
  const content = { "*/*": { schema: { type: "string", format: "binary" } } };
  return {
    200: { description: "The original bytes of the file.", headers: responseHeaderRefs(headers), content },
    206: {
      description: "The requested range of the file.",
      headers: responseHeaderRefs([...headers, "ContentRange"]),
      content,
    },
  };
}

function headersOf(row: Operation): ResponseHeader[] {
  const carried: [boolean, ResponseHeader[]][] = [
    [true, ["XRequestId"]],
    [isScoped(row), ["RateLimit", "RateLimitPolicy"]],
    [givesVersion(row), ["ETag"]],
    [Boolean(row.returnsFile), ["ContentDisposition"]],
    [takesIdempotencyKey(row), ["Location", "IdempotencyReplayed"]],
    [row.idHeader === "X-Freight-Id", ["FreightId"]],
  ];
  return carried.flatMap(([applies, names]) => (applies ? names : []));
}
