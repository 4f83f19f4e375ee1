import type { Scope } from "../../platform/credential.ts";
import { neededScopes, type Operation } from "../operation.ts";
import { scopes } from "../../platform/credential.ts";

/** Documents the authentication schemes of an operation. One of them is sufficient. */
export function security(row: Operation): object[] {
  if (row.access === "public") return [];
  if (row.access === "operator") return [{ OperatorAuthentication: [] }];
  return [{ ApiKeyAuthentication: [] }, { BasicAuthentication: [] }, { Oauth2Authentication: neededScopes(row) }];
}

export const securitySchemes = (base: string) => ({
  ApiKeyAuthentication: { type: "apiKey", in: "header", name: "X-Api-Key", description: "The key." },
  BasicAuthentication: {
    type: "http",
    scheme: "basic",
    description: "User: the id of the key, the part before the dot. Password: its secret, the part after the dot.",
  },
  Oauth2Authentication: {
    type: "oauth2",
    description: "A token with the scopes of its key. It expires after one hour.",
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
