import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The folder for state, logs, secrets and a downloaded gazetteer. */
export const dataDirectory = process.env.DATA_DIR || ".data";

/** Companies that exist only locally, by their API key. */
export const demoCompanies = {
  demo: "5f1e2c1a-9d0b-4b57-8a2e-0d1c6a7f4e01",
  demo2: "5f1e2c1a-9d0b-4b57-8a2e-0d1c6a7f4e02",
};

/** Returns the variables of a local Worker. They are never deployed. */
export function localVars() {
  return {
    LOCAL_KEYS: JSON.stringify(demoCompanies),
    ALLOW_PRIVATE_WEBHOOKS: "true",
    LOCAL_MAIL: "true",
    ...localSecrets(),
    ...Object.fromEntries(settable.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
  };
}

/** Variables that environment variables of the same name override. */
const settable = [
  "OPERATOR_KEY",
  "RATE_LIMIT_PER_SECOND",
  "RATE_LIMIT_CEILING_PER_SECOND",
  "WRONG_KEYS_PER_MINUTE",
  "FAILURE_LIMIT",
  "FAILURE_MIN_AGE_S",
  "WEBHOOK_TIMEOUT_MS",
  "LLM_URL",
  "LLM_MODEL",
  "LLM_KEY",
  "LLM_TIMEOUT_MS",
  "EXCHANGE_RATES_URL",
];

function localSecrets(path = join(dataDirectory, "secrets.json")) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error.code !== "ENOENT")
      throw new Error(`${path} cannot be read (${error.message}); delete it or run npm run reset.`, { cause: error });
  }
  const secrets = { SEAL_KEY: randomBytes(32).toString("base64"), OPERATOR_KEY: randomBytes(24).toString("base64url") };
  mkdirSync(dataDirectory, { recursive: true });
  writeFileSync(path, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  return secrets;
}
