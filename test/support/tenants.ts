import { apiClient, type ApiClient } from "./api-client.ts";
import type { TestService } from "./service.ts";

export const root = "/api/v1/companies";

export interface Tenant {
  companyId: string;
  name?: string;
  status: string;
}

export interface CreatedTenant extends Tenant {
  keyId: string;
  key: string;
  revokedKeys?: number;
}

/** Makes a client that sends requests with the key of the operator. */
export const operatorOf =
  (service: TestService): ApiClient =>
  (method, path, sending = {}) =>
    apiClient(service)(method, path, {
      ...sending,
      headers: { ...sending.headers, authorization: "Bearer operator-of-the-tests" },
    });

/** Creates a company as the operator does. */
export async function createTenant(service: TestService, name = "Trans Beispiel") {
  const { body } = await operatorOf(service)<CreatedTenant>("POST", root, { json: { name } });
  return { ...body, ask: apiClient(service, body.key), path: `${root}/${body.companyId}` };
}

/** Returns the status and the error code of a response. */
export const refusal = ({ status, body }: { status: number; body: unknown }) => ({
  status,
  code: (body as { errorCode?: string }).errorCode,
});

/** Counts a company's rows in each table of the archive, and its files. */
export async function countData(
  service: TestService,
  company: string,
): Promise<{ rows: Record<string, number>; files: number }> {
  const { results } = await service.archive
    .prepare("select t.name from sqlite_master t where t.type = 'table' and t.sql like '%company text%'")
    .all<{ name: string }>();
  const rows: Record<string, number> = {};
  for (const { name } of results) {
    const found = await service.archive
      .prepare(`select count(*) as count from ${name} where company = ?`)
      .bind(company)
      .first<{ count: number }>();
    if (found && found.count > 0) rows[name] = found.count;
  }
  const bucket = await service.mf.getR2Bucket("FILES", "lorry");
  return { rows, files: (await bucket.list({ prefix: `${company}/` })).objects.length };
}
