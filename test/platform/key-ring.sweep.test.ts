import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { expect, test, vi } from "vitest";
import { apiClient, type ApiClient } from "../support/api-client.ts";
import { carrierOrder, type CarrierAnswer } from "../support/carriers.ts";
import { completePrivacyRequest } from "../support/privacy.ts";
import { simulateInternet } from "../support/simulated-internet.ts";
import { learnBase64 } from "../faults/platform/base64.ts";
import { openService } from "../support/service.ts";
import type { Subscription } from "../support/webhooks.ts";

// Sealed secrets, while the keys that seal them are added and removed.

learnBase64();
const newKey = () => randomBytes(32).toString("base64");
const [a, b, c] = [newKey(), newKey(), newKey()];

interface Delivery {
  eventType: string;
  status: string;
  attempts: { error?: string; detail?: string }[];
}

test(
  "webhooks, sources, links and replies survive a key rotation; secrets of a lost key are skipped and reported",
  { timeout: 400_000 },
  async () => {
    const state = await mkdtemp(join(tmpdir(), "lorry-keys-"));
    const LOCAL_KEYS = JSON.stringify({ own: randomUUID() });
    const internet = simulateInternet();
    const opened = async (
      keys: Partial<Record<"SEAL_KEY" | "SEAL_KEYS", string>>,
      work: (own: ApiClient) => Promise<void>,
    ) => {
      const vars = { LOCAL_KEYS, SEAL_KEY: "", ...keys };
      const service = await openService({ state, vars, internet: internet.answer });
      try {
        await work(apiClient(service, "own"));
      } finally {
        await service.stop();
      }
    };
    const [moved, left, source] = [internet.address(), internet.address(), internet.address()];
    const authentication = { type: "ApiKey", headerName: "X-Key", apiKey: "K3y-of-the-receiver" };
    const subscribed = (own: ApiClient, callbackUrl: string) =>
      own<Subscription>("POST", "/api/v1/webhooks", {
        json: { eventTypes: ["CarrierOrderUpdated"], callbackUrl, authentication },
        headers: { "idempotency-key": callbackUrl },
      });
    let version = 1;
    let order: CarrierAnswer;
    const sent = carrierOrder({ orderNumber: "KEY-1" });
    const change = async (own: ApiClient) => {
      const json = { ...sent, internalComments: `Version ${++version}` };
      expect((await own("PUT", `/api/v1/orders/${order.orderId}`, { json })).status).toBe(200);
    };
    const secrets: string[] = [];
    const ids: string[] = [];
    try {
      await opened({ SEAL_KEY: a }, async (own) => {
        for (const { url } of [moved, left]) {
          const { body } = await subscribed(own, url);
          secrets.push(body.secret!);
          ids.push(body.subscriptionId);
        }
        const json = { name: "Board", endpoint: source.url, authentication };
        expect((await own("POST", "/api/v1/sources", { json })).status).toBe(201);
        order = (await own<CarrierAnswer>("POST", "/api/v1/orders/upsert", { json: sent })).body;
      });

      await opened({ SEAL_KEYS: `2026:${b}`, SEAL_KEY: a }, async (own) => {
        const again = await subscribed(own, left.url);
        expect(again.headers.get("idempotency-replayed")).toBe("true");
        expect([again.status, again.body.secret]).toEqual([201, secrets[1]]);
        const shown = await own<{ carrierOrder: { shareUrl?: string } }>("GET", `/api/v1/orders/${order.orderId}`);
        expect(new URL(shown.body.carrierOrder.shareUrl!).pathname).toBe(new URL(order.shareUrl).pathname);
        await change(own);
        for (const [index, receiver] of [moved, left].entries()) {
          const [heard] = await receiver.waitForRequests(1);
          expect(heard!.headers["x-key"]).toBe("K3y-of-the-receiver");
          new Webhook(secrets[index]!).verify(heard!.body, heard!.headers);
        }
        // Writing the webhook seals its secret with the new key.
        expect((await own("PUT", `/api/v1/webhooks/${ids[0]}/reset`, { json: {} })).status).toBe(200);
      });

      await opened({ SEAL_KEYS: `2027:${c} 2026:${b}` }, async (own) => {
        await change(own);
        const [, heard] = await moved.waitForRequests(2);
        expect(heard!.headers["x-key"]).toBe("K3y-of-the-receiver");
        new Webhook(secrets[0]!).verify(heard!.body, heard!.headers);
        const log = () => own<{ items: Delivery[] }>("GET", `/api/v1/webhooks/${ids[1]}/deliveries`);
        await vi.waitFor(
          async () => {
            const [delivery] = (await log()).body.items;
            expect(delivery!.attempts.at(-1)).toMatchObject({ error: "refused" });
            expect(delivery!.attempts.at(-1)!.detail).toContain("can no longer be decrypted");
          },
          { timeout: 50_000, interval: 100 },
        );
        expect(left.received).toHaveLength(1);
        const list = await own<{ items: Subscription[] }>("GET", "/api/v1/webhooks");
        expect([list.status, list.body.items.length]).toEqual([200, 2]);
        const lost = list.body.items.find(({ subscriptionId }) => subscriptionId === ids[1]);
        expect(lost!.lastFailure!.detail).toContain("rotateSecret");
        const again = await subscribed(own, left.url);
        expect([again.status, again.body]).toMatchObject([422, { errorCode: "idempotency_key_reused" }]);
        expect((await own("GET", "/api/v1/sources")).status).toBe(200);
        expect((await own("GET", `/api/v1/orders/${order.orderId}`)).status).toBe(200);
        await completePrivacyRequest(own, "export", { name: "Petra Sondermann" });
        await completePrivacyRequest(own, "erase", { name: "Petra Sondermann" });
        // Sets a new secret and sends the authentication again, as the error text recommends.
        const rotated = await own<Subscription>("PUT", `/api/v1/webhooks/${ids[1]}/reset`, {
          json: { rotateSecret: true },
        });
        const json = { eventTypes: ["CarrierOrderUpdated"], callbackUrl: left.url, authentication };
        expect((await own("PUT", `/api/v1/webhooks/${ids[1]}`, { json })).status).toBe(200);
        await change(own);
        const [, mended] = await left.waitForRequests(2);
        expect(mended!.headers["x-key"]).toBe("K3y-of-the-receiver");
        new Webhook(rotated.body.secret!).verify(mended!.body, mended!.headers);
      });
    } finally {
      internet.close();
      await rm(state, { recursive: true, force: true });
    }
  },
);
