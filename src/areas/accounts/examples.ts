import type { AccountView } from "./model.ts";

export const inputExample = {
  email: "anna.przykladowa@trans.beispiel.pl",
  role: "forwarder" as const,
  name: "Anna Przykładowa",
  phone: "+48 600 000 000",
};

export const example: AccountView = {
  accountId: "0193a5f1-9a2c-7d11-8b3e-4c5d6e7f8091",
  status: "Active",
  ...inputExample,
  createdAt: "2026-11-20T08:10:00.000Z",
  updatedAt: "2026-11-20T08:10:00.000Z",
};

export const blockedExample: AccountView = {
  ...example,
  status: "Blocked",
  blockedAt: "2026-11-23T09:00:00.000Z",
  blockedReason: "Left the company",
  updatedAt: "2026-11-23T09:00:00.000Z",
};
