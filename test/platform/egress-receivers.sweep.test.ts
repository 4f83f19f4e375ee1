import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryOf } from "../../bench/processes.ts";
import { bomb, head, openServiceForReceivers, pours, sendsAndCloses } from "../support/hostile-receivers.ts";

let receivers: Awaited<ReturnType<typeof openServiceForReceivers>>;

beforeAll(async () => {
  receivers = await openServiceForReceivers(4_000);
});

afterAll(() => receivers.stop());

const ok = "HTTP/1.1 200 OK";
const plenty = 64 * 1024 * 1024;

test.runIf(process.platform === "linux")(
  "decompression bombs and endless responses do not stay in memory",
  async () => {
    const memory = () => Object.values(memoryOf(process.pid)).reduce((sum, mebibytes) => sum + mebibytes);
    const rounds = async (count: number) => {
      for (let i = 0; i < count; i++) {
        const packed = await receivers.open(sendsAndCloses(head(ok, "content-encoding: gzip"), bomb));
        const flood = await receivers.open(pours(head(ok), plenty));
        await Promise.all([receivers.deliverTo(packed), receivers.deliverTo(flood)]);
      }
    };
    await rounds(2);
    const before = memory();
    await rounds(10);
    expect(memory() - before).toBeLessThan(300);
  },
);
