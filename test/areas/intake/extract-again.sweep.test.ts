import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { orderLines } from "../../support/papers/order.ts";
import { postFile } from "../../support/orders.ts";
import { withChangedState, rewritten } from "../../support/state-without-deletion.ts";
import { openService, type TestService } from "../../support/service.ts";

test("when a file that failed internally is extracted again, only the last evidence is stored", async () => {
  const state = await mkdtemp(join(tmpdir(), "lorry-again-"));
  const company = { id: randomUUID(), key: `test-${randomUUID()}` };
  const vars = { LOCAL_KEYS: JSON.stringify({ [company.key]: company.id }) };
  let service: TestService = await openService({ state, vars });
  let ask: ApiClient = apiClient(service, company.key);
  const post = async (number: string) => {
    const { body } = await postFile(ask, `${number}.txt`, orderLines({ number }).join("\n"));
    const path = `/api/v1/orders/${body.orderId}/extraction`;
    await vi.waitFor(async () => expect((await ask("GET", path)).status).toBe(200), { timeout: 60_000 });
    return { ...body, path };
  };
  const bucket = () => service.mf.getR2Bucket("FILES", "lorry");
  const evidence = async (orderId: string) =>
    (await (await bucket()).list({ prefix: `${company.id}/orders/${orderId}/extraction` })).objects;
  try {
    const [first, second] = [await post("RA-1"), await post("RA-2")];
    for (const { key } of await evidence(second.orderId)) await (await bucket()).delete(key);
    await service.stop();
    const failed = [{ sequenceId: 0, status: "Failed", errorCode: "engine_timeout", message: "It took too long." }];
    await rewritten(
      state,
      "OrderObject",
      withChangedState((kept) => ({ ...kept, status: "Failed", envelopes: failed })),
    );
    service = await openService({ state, vars });
    ask = apiClient(service, company.key);
    expect(await ask("GET", second.path)).toMatchObject({
      status: 404,
      body: { detail: "The file could not be processed." },
    });
    const [before] = await evidence(first.orderId);
    expect(await post("RA-1")).toMatchObject({ orderId: first.orderId, duplicateOf: first.orderId });
    await vi.waitFor(
      async () => {
        const [after, ...more] = await evidence(first.orderId);
        expect([after!.key !== before!.key, more.length]).toEqual([true, 0]);
      },
      { timeout: 60_000, interval: 100 },
    );
    expect((await ask("GET", first.path)).status).toBe(200);
  } finally {
    await service.stop();
    await rm(state, { recursive: true });
  }
});
