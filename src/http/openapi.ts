import { areas, operations, type NamedOperation } from "../api.ts";
import type { Operation } from "./operation.ts";
import { responses } from "./openapi/answers.ts";
import { Components } from "./openapi/components.ts";
import { requestHeaderComponents, responseHeaderComponents } from "./openapi/headers.ts";
import { parameters, requestBody } from "./openapi/requests.ts";
import { security, securitySchemes } from "./openapi/security.ts";
import { webhooks } from "./openapi/webhooks.ts";

/**
 * Builds the OpenAPI 3.1 document.
 * @param base public URL of the deployment without a trailing slash. If it is empty, links are relative.
 */
export function openapi(base = ""): object {
  const components = new Components(base);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const named of operations) {
    const path = named.operation.path.replace(/:(\w+)/g, "{$1}");
    (paths[path] ??= {})[named.operation.method.toLowerCase()] = described(named, components);
  }
  const webhookEvents = webhooks(components);
  return {
    openapi: "3.1.0",
    info: {
      title: "Lorry",
      summary: "Freight and transport logistics",
      version: "1.0",
      description: introduction,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: base || "/" }],
    tags: areas.flatMap(({ descriptions }) =>
      Object.entries(descriptions).map(([name, description]) => ({ name, description })),
    ),
    paths,
    webhooks: webhookEvents,
    components: {
      schemas: sorted(components.schemas.components),
      responses: sorted(components.responses),
      parameters: requestHeaderComponents(),
      headers: responseHeaderComponents(),
      examples: sorted(components.examples),
      securitySchemes: securitySchemes(base),
    },
  };
}

function described({ id, area, operation }: NamedOperation, components: Components): object {
  const { summary } = operation;
  const description = [operation.description, furtherScopes(operation)].filter(Boolean).join(" ");
  const requestParameters = parameters(operation, components.schemas);
  const body = requestBody(operation, components.schemas);
  return {
    operationId: id,
    tags: [area],
    summary,
    ...(description && { description }),
    ...(operation.deprecated && { deprecated: true }),
    security: security(operation),
    ...(requestParameters.length > 0 && { parameters: requestParameters }),
    ...(body && { requestBody: body }),
    responses: responses(operation, components),
  };
}

function furtherScopes({ additionalScopes = [] }: Operation): string {
  if (additionalScopes.length === 0) return "";
  return `The key also needs ${additionalScopes.map((scope) => `\`${scope}\``).join(", ")}.`;
}

const sorted = (map: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));

const introduction = `Send a transport order as the file in which you received it, and get its data, with evidence for every value.

**Authentication**: send a key in \`X-Api-Key\` or with HTTP Basic, or a bearer token from \`POST /oauth2/token\`. Every record belongs to the company of the key; the id of another company's record returns 404.

**Media type**: every JSON response is \`application/json; x-api-version=1.0\`. A request may name the version in its media type, in the header \`x-api-version\`, or not at all.

**Errors** are RFC 9457 problems with an \`errorCode\` for programs. If a body or a query is not valid, the array \`errors\` names every wrong field. [All codes, with remedies](/docs/errors).

**Background processing**: requests that start it return 202 at once. \`Prefer: wait=N\` delays the response until processing is complete. Alternatively, subscribe to a webhook.

**Repeated requests**: every POST supports \`Idempotency-Key\`. **Versions**: a resource has an \`ETag\` for \`If-None-Match\` and \`If-Match\`. Fields and enumeration values may be added: ignore those that you do not know.`;
