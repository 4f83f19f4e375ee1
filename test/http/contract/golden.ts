import { operations } from "../../../src/api.ts";
import { openapi } from "../../../src/http/openapi.ts";

/**
 * A committed file that is generated from the list of operations, so that every change to the contract shows in a diff.
 */
export interface Copy {
  path: string;
  text: string;
}

export const golden = (): Copy => ({ path: "test/http/openapi.json", text: `${JSON.stringify(openapi(), null, 2)}\n` });

/** Generates the file from which the client takes each operation's method, path and media types other than JSON. */
export function clientRoutes(): Copy {
  const lines = operations.map(
    ({ id, operation: { method, path, media } }) =>
      `  ${JSON.stringify(id)}: ${JSON.stringify([method, path, ...(media ?? [])]).replaceAll(",", ", ")}`,
  );
  return { path: "src/http/client-routes.json", text: `{\n${lines.join(",\n")}\n}\n` };
}
