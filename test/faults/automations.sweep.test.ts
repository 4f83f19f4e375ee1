import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { apiClient } from "../support/api-client.ts";
import { waitUntilEnded, fine, fleetVehicle, root, type Received } from "../support/fines.ts";
import { productRuntime } from "./service-processes.ts";

test(
  "fines that are acknowledged before a kill -9 or in progress during it are all entered once after it",
  { timeout: 300_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "lorry-automations-"));
    const lorry = await productRuntime(folder);
    try {
      const ask = apiClient({ fetch: (path, init) => fetch(new URL(path, lorry.url), init) }, "demo");
      const vehicleId = await fleetVehicle(ask, "WGM 12345");
      const handIn = async (at: number) => {
        const fines = Array.from({ length: 40 }, (_, minute) =>
          fine("WGM 12345", { offenceAt: `2026-07-${10 + at}T09:${10 + minute}`, amount: 100 + minute }),
        );
        return (await ask<Received>("POST", `${root}/fines`, { json: { fines } })).body.automationId;
      };
      const ids: string[] = [];
      for (let round = 0; round < 3; round++) {
        ids.push(await handIn(round * 2), await handIn(round * 2 + 1));
        await lorry.kill();
        await lorry.start();
      }
      for (const id of ids) {
        const { status, data } = await vi.waitFor(() => waitUntilEnded(ask, id), { timeout: 120_000 });
        expect(status).toBe(2);
        expect(data!.counts).toMatchObject({ total: 40, matched: 40, entered: 40, duplicate: 0, pending: 0 });
        expect(new Set(data!.items.map((item) => item.vehicleId))).toEqual(new Set([vehicleId]));
      }
      const completed = await vi.waitUntil(
        async () => {
          const { body } = await ask<{ items: { eventType: string; resource: { id: string } }[] }>(
            "GET",
            "/api/v1/events?limit=200",
          );
          const all = body.items.filter(({ eventType }) => eventType === "AutomationCompleted");
          return all.length >= ids.length ? all : undefined;
        },
        { timeout: 60_000, interval: 200 },
      );
      expect(completed.map(({ resource }) => resource.id).sort()).toEqual([...ids].sort());
    } finally {
      await lorry.end();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
