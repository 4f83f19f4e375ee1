import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { carrierOrder, createCarrierOrder, readOrder } from "../../support/carriers.ts";
import { openService, type TestService } from "../../support/service.ts";
import { guestOf, note } from "../../support/share-links.ts";

test("a link created with another SEAL_KEY still works, is not shown, and is replaced by an upsert", async () => {
  const state = await mkdtemp(join(tmpdir(), "lorry-links-"));
  const LOCAL_KEYS = JSON.stringify({ own: randomUUID() });
  const sent = carrierOrder();
  const opened = async <Done>(work: (own: ApiClient, at: TestService) => Promise<Done>): Promise<Done> => {
    const at = await openService({ state, vars: { LOCAL_KEYS } });
    try {
      return await work(apiClient(at, "own"), at);
    } finally {
      await at.stop();
    }
  };
  try {
    const made = await opened((own) => createCarrierOrder(own, sent));
    const { pathname } = new URL(made.shareUrl);
    await opened(async (own, at) => {
      await guestOf(at).handInOne(pathname, note("kept"));
      expect((await readOrder(own, made.orderId)).carrierOrder.shareUrl).toBeUndefined();
      const upsert = () => own<{ result: string; shareUrl: string }>("POST", "/api/v1/orders/upsert", { json: sent });
      const { body } = await upsert();
      expect(body.result).toBe("Updated");
      expect((await upsert()).body).toMatchObject({ result: "Unchanged", shareUrl: body.shareUrl });
      expect((await at.fetch(pathname)).status).toBe(404);
      expect(await (await at.fetch(new URL(body.shareUrl).pathname)).text()).toContain("kept.txt");
      expect((await readOrder(own, made.orderId)).carrierOrder.shareUrl).toBe(body.shareUrl);
    });
  } finally {
    await rm(state, { recursive: true, force: true });
  }
});
