import type { NamedOperation } from "../../../src/api.ts";
import type { TestService } from "../../support/service.ts";
import type { TestCompany } from "./company.ts";

// Removes records that tests created and that would exhaust a limit or slow down other tests.

/** Lists whose length is limited for each company. */
export const limitedLists = { subscriptionId: "/api/v1/webhooks", source: "/api/v1/sources" };

/** Paths of the records in such lists that tests created, by company and list, oldest first. */
const made = new Map<string, string[]>();

/**
 * Deletes the oldest record of a list if there are more than three, because each webhook receives all events of its
 * company.
 */
export async function makeRoom(service: TestService, { companyId, key }: TestCompany, path: string): Promise<void> {
  const kind = `${companyId} ${path.slice(0, path.lastIndexOf("/"))}`;
  const all = [...(made.get(kind) ?? []), path];
  made.set(kind, all);
  if (all.length <= 3) return;
  await service.fetch(all.shift()!, { method: "DELETE", headers: { authorization: `Bearer ${key}` } });
}

/** Companies for which webhooks were created, to test the operations of webhooks. */
const listening = new Set<string>();

/** Deletes these webhooks before the operations of other areas run, so that they receive no needless events. */
export async function removeIdleWebhooks(
  { area }: NamedOperation,
  service: TestService,
  { companyId, key }: TestCompany,
): Promise<void> {
  if (area === "webhooks") return void listening.add(companyId);
  if (!listening.delete(companyId)) return;
  const init = { headers: { authorization: `Bearer ${key}` } };
  const { items } = await (
    await service.fetch(limitedLists.subscriptionId, init)
  ).json<{ items: { subscriptionId: string }[] }>();
  await Promise.all(
    items.map(({ subscriptionId }) =>
      service.fetch(`${limitedLists.subscriptionId}/${subscriptionId}`, { ...init, method: "DELETE" }),
    ),
  );
  made.delete(`${companyId} ${limitedLists.subscriptionId}`);
}
