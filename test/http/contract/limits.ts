import type { NamedOperation } from "../../../src/api.ts";
import type { TestService } from "../../support/service.ts";
import type { TestCompany } from "./company.ts";

// What was made for requests that are asked well goes again, where it would be in the way of others.

/** Lists of which a company may have so many. */
export const limitedLists = { subscriptionId: "/api/v1/webhooks", source: "/api/v1/sources" };

/** What was made for good requests and is in such a list, by company and list, the oldest first. */
const made = new Map<string, string[]>();

/** Tests make one for each request, and each webhook hears of all that its company does: the old ones go. */
export async function makeRoom(service: TestService, { companyId, key }: TestCompany, path: string): Promise<void> {
  const kind = `${companyId} ${path.slice(0, path.lastIndexOf("/"))}`;
  const all = [...(made.get(kind) ?? []), path];
  made.set(kind, all);
  if (all.length <= 3) return;
  await service.fetch(all.shift()!, { method: "DELETE", headers: { authorization: `Bearer ${key}` } });
}

/** Companies with webhooks that were made for the rows about them. */
const listening = new Set<string>();

/** Whatever is asked afterwards is not told to webhooks that nobody asks about any more. */
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
