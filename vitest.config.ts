import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";

export default defineConfig({
  // Objects that are tried outside of the runtime have a false platform.
  resolve: { alias: { "cloudflare:workers": join(import.meta.dirname, "test/faults/platform/workers.ts") } },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/once.ts",
    isolate: false,
    // Beside each of them runs the service that its file tries; one more than there is room for, since many wait most of the time.
    maxWorkers: Math.max(3, Math.floor(availableParallelism() / 2)),
    sequence: { sequencer: LongestFirst },
    // Longer than whatever is waited for in a test, however busy the machine is.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 50_000 } },
  },
});
