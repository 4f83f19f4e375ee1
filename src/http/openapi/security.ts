import type { Scope } from "../../platform/credential.ts";
import { neededScopes, type Operation } from "../operation.ts";
import { scopes } from "../../platform/credential.ts";

/** What a row asks of its caller: any one of these. */
export function security(row: Operation): object[] {
  if (row.access === "public") return [];
  if (row.access === "operator") return [{ OperatorAuthentication: [] }];
  return [{ ApiKeyAuthentication: [] }, { BasicAuthentication: [] }, { Oauth2Authentication: neededScopes(row) }];
}

export const securitySchemes = (base: string) => ({
  ApiKeyAuthentication: { type: "apiKey", in: "header", name: "X-Api-Key", description: "The key as it is." },
  BasicAuthentication: {
    type: "http",
    scheme: "basic",
    description: "The key's id as user, its secret as password: the parts before and after the dot.",
  },
  Oauth2Authentication: {
    type: "oauth2",
    description: "A token that lives an hour. It may do what its key may do.",
    flows: {
      clientCredentials: {
        tokenUrl: `${base}/oauth2/token`,
        scopes: Object.fromEntries(scopes.map((scope) => [scope, meaning(scope)])),
      },
    },
  },
  OperatorAuthentication: { type: "http", scheme: "bearer", description: "The OPERATOR_KEY of the deployment." },
});

function meaning(scope: Scope): string {
  const [area, verb] = scope.split(":");
  return verb === "read" ? `Read ${area}.` : `Read and change ${area}.`;
}
