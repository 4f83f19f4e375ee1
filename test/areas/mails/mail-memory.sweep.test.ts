import { randomBytes, timingSafeEqual } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { acceptMail } from "../../../src/incoming-mail/route.ts";
import type { Env } from "../../../src/platform/env.ts";
import { partBytes } from "../../../src/http/uploads/store-stream.ts";
import { addressOf } from "../../../src/areas/mails/address.ts";
import { apiClient } from "../../support/api-client.ts";
import { eml, waitUntilRouted, soon } from "../../support/incoming-mails.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;

beforeAll(async () => {
  // The Workers runtime has this function; Node does not.
  Object.defineProperty(crypto.subtle, "timingSafeEqual", { value: timingSafeEqual });
  service = await openService({ own: true });
});

afterAll(() => service.stop());

/**
 * Wraps the bucket of the service. `given` lists the size of each buffer that is written to the bucket in one piece.
 */
function weighing(bucket: R2Bucket) {
  const given: number[] = [];
  const note = (value: unknown) => void (value instanceof Uint8Array && given.push(value.length));
  const FILES = {
    get: (key: string) => bucket.get(key),
    delete: (keys: string[]) => bucket.delete(keys),
    put: async (key: string, value: Uint8Array, options: R2PutOptions) => {
      note(value);
      const bytes = value instanceof Uint8Array ? value : await new Response(value).arrayBuffer();
      return bucket.put(key, bytes, options);
    },
    createMultipartUpload: async (key: string, options: R2MultipartOptions) => {
      const upload = await bucket.createMultipartUpload(key, options);
      return {
        uploadPart: (number: number, value: Uint8Array) => (note(value), upload.uploadPart(number, value.slice())),
        complete: (parts: R2UploadedPart[]) => upload.complete(parts),
        abort: () => upload.abort(),
      };
    },
  };
  return { FILES, given };
}

test("a mail with a large file is stored in parts while it arrives, and stays unchanged", async () => {
  const { id: company, key } = service.company();
  const { FILES, given } = weighing((await service.mf.getR2Bucket("FILES", "lorry")) as unknown as R2Bucket);
  const objects = ["MAILS", "COMPANIES"].map(
    async (binding) => [binding, await service.mf.getDurableObjectNamespace(binding, "lorry")] as const,
  );
  const env = {
    ...Object.fromEntries(await Promise.all(objects)),
    FILES,
    SEAL_KEY: randomBytes(32).toString("base64"),
    MAIL_DOMAIN: "in.lorry.example",
  } as unknown as Env;
  const bytes = Buffer.concat([Buffer.from("MZ\0\0"), Buffer.alloc(8 * 2 ** 20, 1)]);
  const raw = Buffer.from(
    eml({ subject: "Papers", text: "Please find them attached." }, [{ name: "papers.bin", bytes }]),
  );
  const pieces = Array.from({ length: Math.ceil(raw.length / 65_536) }, (_, at) =>
    raw.subarray(at * 65_536, (at + 1) * 65_536),
  );
  const rejected: string[] = [];
  const message = {
    to: addressOf(env, company),
    from: "dispo@sender.example",
    raw: new Blob(pieces).stream(),
    rawSize: raw.length,
    setReject: (why: string) => void rejected.push(why),
  };
  await acceptMail(message as unknown as ForwardableEmailMessage, env);
  expect(rejected).toEqual([]);
  expect(Math.max(...given)).toBeLessThanOrEqual(partBytes);
  const ask = apiClient(service, key);
  const mail = await vi.waitUntil(async () => {
    const { body } = await ask<{ items: { mailId: string }[] }>("GET", "/api/v1/mails");
    return body.items[0];
  }, soon);
  const { notRouted } = await waitUntilRouted(ask, mail.mailId);
  expect(notRouted).toEqual([{ attachment: "papers.bin", errorCode: "unsupported_file_type" }]);
  const file = await ask("GET", `/api/v1/mails/${mail.mailId}/file`);
  expect(Buffer.from(file.body as unknown as string).equals(raw)).toBe(true);
});
