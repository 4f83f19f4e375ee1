import * as z from "zod";
import { makeKey } from "../../platform/key-format.ts";
import { Answer } from "../../http/responses.ts";
import type { Env } from "../../platform/env.ts";
import { operationsOn } from "../../http/operation.ts";
import { invalid, wrongField } from "../../platform/problem.ts";
import { requestsCeiling } from "../../http/rate-limit.ts";
import { sealable } from "../../platform/seal.ts";
import type { events } from "./model.ts";
import {
  type Company,
  CompanyFacts,
  CompanyView,
  type Key,
  companyExample,
  facts,
  localCompany,
  shown,
  viewOf,
} from "./model.ts";
import { commands } from "./commands.ts";

const owner = { binding: "COMPANIES", scope: "accounts" } as const;
const { get, put, post } = operationsOn<Company, typeof events>(owner);

/** @throws Problem `validation_failed` if the limit is higher than the deployment allows */
function requireWithinCeiling({ requestsPerSecond = 0 }: CompanyFacts, env: Env): void {
  const ceiling = requestsCeiling(env);
  if (requestsPerSecond <= ceiling) return;
  const message = `requestsPerSecond must be at most ${ceiling} in this deployment.`;
  throw invalid([wrongField(["requestsPerSecond"], "too_big", message)]);
}

export const operations = {
  create: post("/api/v1/companies", {
    summary: "Create a company and its first key",
    description:
      "For the operator of the deployment only, with OPERATOR_KEY as bearer token. The key has all permissions. It is returned only in this response, and again for one day if the request is repeated with its Idempotency-Key and the deployment has `SEAL_KEYS` or `SEAL_KEY`.",
    access: "operator",
    body: CompanyFacts,
    ok: CompanyView.extend({ keyId: z.string(), key: z.string().optional() }).meta({ id: "FoundedCompany" }),
    status: 201,
    example: {
      body: facts,
      reply: {
        ...companyExample,
        keyId: "lorry_0193a5f13b7a7c108e556d2f9b0a4c3100000001",
        key: "lorry_0193a5f13b7a7c108e556d2f9b0a4c3100000001.secret",
      },
    },
    async handle({ body }, context) {
      requireWithinCeiling(body, context.env);
      const company = context.caller.company;
      const { keyId, key, hash } = await makeKey(company);
      const entry: Key = { keyId, hash, scopes: ["*"], description: "First key", createdAt: new Date().toISOString() };
      const secret = sealable(key, context.env);
      const { reply, ...more } = await context.execute(commands.found, company, { facts: body, key: entry, secret });
      return new Answer({ companyId: company, ...reply, ...(!more.replayed && { key }), ...shown(body) }, more);
    },
  }),

  read: get("/api/v1/company", {
    summary: "Read your own company",
    ok: CompanyView,
    example: { reply: companyExample },
    decide: (company, _, { at, id }) => ({ reply: viewOf(company ?? localCompany(at), id) }),
  }),

  update: put("/api/v1/company", {
    summary: "Update your own company",
    description:
      "The extraction engine uses names, VAT codes and mail domains to recognise your company among the parties of a document: the carrier on orders that you receive, the customer on orders that you give.",
    body: CompanyFacts,
    ok: CompanyView,
    example: { body: facts, reply: companyExample },
    async handle({ body }, { env, caller, execute }) {
      requireWithinCeiling(body, env);
      const { reply, version } = await execute(commands.change, caller.company, { facts: body });
      return new Answer(reply, { version });
    },
  }),
};
