import { availableParallelism } from "node:os";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";

const sweeps = "test/**/*.sweep.test.ts";

export default defineConfig({
  // Tests of Durable Object classes outside of the runtime get a simulated platform.
  resolve: { alias: { "cloudflare:workers": join(import.meta.dirname, "test/faults/platform/workers.ts") } },
  test: {
    globalSetup: "test/support/global-setup.ts",
    isolate: false,
    // Most tests wait for the service, which runs in a process of its own, so there are more workers than cores.
    maxWorkers: Math.max(4, Math.floor(availableParallelism() / 2)),
    // Longer than every wait inside of a test, on a busy machine too.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 50_000 } },
    projects: [
      {
        extends: true,
        test: { name: "tests", include: ["test/**/*.test.ts"], exclude: [...configDefaults.exclude, sweeps] },
      },
      { extends: true, test: { name: "sweeps", include: [sweeps] } },
    ],
  },
});
