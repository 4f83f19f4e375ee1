import type * as z from "zod";
import { WebhookBody } from "../../areas/webhooks/views.ts";
import { events } from "../../events.ts";
import type { Components } from "./components.ts";

const signed = [
  ["webhook-id", "The id of the event, the same on every attempt."],
  ["webhook-timestamp", "The time of this attempt, in seconds since 1970."],
  [
    "webhook-signature",
    "`v1,` and the HMAC-SHA256 of id, timestamp and body, as in Standard Webhooks 1.0. Several signatures after a change of the secret.",
  ],
].map(([name, description]) => ({ name, in: "header", required: true, description, schema: { type: "string" } }));

/** Documents the webhook requests, by event type. */
export function webhooks(components: Components): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(events as Record<string, z.ZodType>).map(([type, data]) => [
      type,
      { post: delivery(type, data, components) },
    ]),
  );
}

function delivery(type: string, data: z.ZodType, { schemas, base }: Components): object {
  const body = { eventType: { const: type }, data: schemas.of(data, "output") };
  return {
    operationId: `events.${type}`,
    tags: ["webhooks"],
    summary: data.description ?? type,
    security: [],
    parameters: signed,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { allOf: [schemas.of(WebhookBody, "output"), { type: "object", properties: body }] },
          examples: {
            Thin: { value: example(type, data, base) },
            Full: { value: { ...example(type, data, base), data: dataExample(data) } },
          },
        },
      },
    },
    responses: {
      "2XX": { description: "Received. After any other response, or none within 15 seconds, the event is sent again." },
    },
  };
}

const dataExample = (data: z.ZodType): unknown => (data.meta()?.["examples"] as unknown[] | undefined)?.[0];

function example(type: string, data: z.ZodType, base: string): object {
  const [body] = WebhookBody.meta()!["examples"] as z.output<typeof WebhookBody>[];
  const [first] = [dataExample(data)].flat() as { status?: string }[];
  const { resource, status, ...rest } = body!;
  return {
    ...rest,
    eventType: type,
    resource: { ...resource, url: `${base}${resource.url}` },
    status: first?.status ?? status,
  };
}
