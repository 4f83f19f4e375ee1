import { expect, vi } from "vitest";
import type { ApiClient } from "./api-client.ts";
import { waiting } from "./orders.ts";

export interface Order {
  sequenceId: number;
  status: string;
  message?: string;
  data?: Record<string, unknown> & { orderNumber?: string; payments?: Record<string, unknown> };
}

export interface FeedbackAnswer {
  feedbackId: string;
  status: string;
  lessons?: number;
  corrections: { path: string; before?: unknown; value: unknown }[];
  fields: { field: string; right: number; wrong: number }[];
}

export interface EvidenceAnswer {
  fields: Record<string, { value: unknown; source: string; confidence: number; text?: string; feedbackId?: string }>;
  checks: { name: string; passed: boolean }[];
}

export const root = "/api/v1/feedback";

export async function createOrder(ask: ApiClient, inputText: string): Promise<{ id: string; order: Order }> {
  const { body } = await ask<{ orderId: string; orders: Order[] }>("POST", "/api/v1/orders", {
    json: { inputText },
    headers: waiting,
  });
  return { id: body.orderId, order: body.orders[0]! };
}

export const readOrder = async (ask: ApiClient, id: string) => (await ask<Order>("GET", `/api/v1/orders/${id}`)).body;
export const readEvidence = async (ask: ApiClient, id: string) =>
  (await ask<EvidenceAnswer>("GET", `/api/v1/orders/${id}/extraction`)).body;

export const sendFeedback = (ask: ApiClient, id: string, json: object, headers: Record<string, string> = {}) =>
  ask<FeedbackAnswer>("POST", root, { json: { subject: { type: "Order", id }, rating: "Bad", ...json }, headers });

/** Sends corrections, and waits until they are learnt. */
export async function sendAndLearn(
  ask: ApiClient,
  id: string,
  corrections: object[],
  rating = "Bad",
): Promise<FeedbackAnswer> {
  const { status, body } = await sendFeedback(ask, id, { corrections, rating });
  expect(status, JSON.stringify(body)).toBe(201);
  return vi.waitUntil(
    async () => {
      const now = (await ask<FeedbackAnswer>("GET", `${root}/${body.feedbackId}`)).body;
      return now.status === "Learnt" ? now : undefined;
    },
    { timeout: 50_000, interval: 50 },
  );
}
