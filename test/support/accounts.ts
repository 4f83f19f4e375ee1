import { createCompany } from "../http/contract/company.ts";
import { apiClient, type ApiClient } from "./api-client.ts";
import type { TestService } from "./service.ts";

export interface Account {
  accountId: string;
  email: string;
  status: string;
  role: string;
}

export const anna = "anna@trans.example";

/** Creates a company with an account (`anna`) and an API key that belongs to this account. */
export async function createMember(
  service: TestService,
  role = "forwarder",
  scopes = ["freights:write", "orders:write", "webhooks:write"],
) {
  const ask = apiClient(service, (await createCompany(service)).key);
  const { body: account } = await ask<Account>("POST", "/api/v1/accounts", { json: { email: anna, role } });
  const { body: created } = await ask<{ key: string }>("POST", "/api/v1/keys", {
    json: { scopes, accountId: account.accountId },
  });
  return { ask, account, member: apiClient(service, created.key) };
}

export const block = (ask: ApiClient, json: object = { email: anna }) =>
  ask<Account>("PUT", "/api/v1/accounts/block", { json });

export const unblock = (ask: ApiClient, json: object = { email: anna }) =>
  ask<Account>("PUT", "/api/v1/accounts/unblock", { json });
