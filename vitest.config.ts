import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // Objects that are tried outside of the runtime have a false platform.
  resolve: { alias: { "cloudflare:workers": join(import.meta.dirname, "test/faults/platform/workers.ts") } },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/build.ts",
    isolate: false,
    maxWorkers: 1,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
