import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  bomb,
  drips,
  head,
  hostile,
  openServiceForReceivers,
  pours,
  sendsAndCloses,
} from "../support/hostile-receivers.ts";

const limitMilliseconds = 4_000;
let receivers: Awaited<ReturnType<typeof openServiceForReceivers>>;

beforeAll(async () => {
  receivers = await openServiceForReceivers(limitMilliseconds);
});

afterAll(() => receivers.stop());

const ok = "HTTP/1.1 200 OK";
const plenty = 64 * 1024 * 1024;

const behaving: [what: string, expected: { status?: number; error?: string }, ...Parameters<typeof hostile>][] = [
  ["hangs", { error: "timeout" }, () => undefined],
  ["sends its headers one byte at a time", { error: "timeout" }, drips("HTTP/1.1 200 OK\r\nx-slow: ", "a", 200)],
  ["sends one header after the other, slowly", { error: "timeout" }, drips(`${ok}\r\n`, "x-more: a\r\n", 100)],
  ["sends its body one byte at a time", { status: 200 }, drips(head(ok), "a", 200)],
  ["sends a body of 64 MiB", { status: 200 }, pours(head(ok, `content-length: ${plenty}`), plenty)],
  ["sends a body of 64 MiB without a length", { status: 200 }, pours(head(ok), plenty)],
  ["sends an error of 64 MiB", { status: 500 }, pours(head("HTTP/1.1 500 Broken"), plenty)],
  ["sends 64 MiB in compressed form", { status: 200 }, sendsAndCloses(head(ok, "content-encoding: gzip"), bomb)],
  [
    "declares a compression that it does not use",
    { status: 200 },
    sendsAndCloses(head(ok, "content-encoding: gzip"), "not packed"),
  ],
  ["uses an unknown compression", { status: 200 }, sendsAndCloses(head(ok, "content-encoding: gzip, br, x"), bomb)],
  [
    "sends 1 MiB of headers",
    { error: "connection" },
    sendsAndCloses(head(ok, ...Array.from({ length: 1024 }, () => `x-a: ${"a".repeat(1018)}`))),
  ],
  ["sends one endless header", { error: "connection" }, pours(`${ok}\r\nx-a: `, plenty)],
  ["resets", { error: "connection" }, (socket) => socket.resetAndDestroy()],
  [
    "resets the connection within its headers",
    { error: "connection" },
    (socket) => void socket.write(ok, () => socket.resetAndDestroy()),
  ],
  ["closes its half of the connection", { error: "connection" }, sendsAndCloses()],
  ["closes the connection within its body", { status: 200 }, sendsAndCloses(head(ok, "content-length: 100"), "short")],
  ["speaks HTTP/1.0", { status: 200 }, sendsAndCloses(head("HTTP/1.0 200 OK"), "hello")],
  ["speaks HTTP/0.9", { error: "connection" }, sendsAndCloses("hello")],
  ["declares HTTP/9.9", { error: "connection" }, sendsAndCloses(head("HTTP/9.9 200 OK"))],
  ["speaks SSH", { error: "connection" }, sendsAndCloses("SSH-2.0-OpenSSH_9.9\r\n")],
  [
    "sends a body that is not UTF-8",
    { status: 200 },
    sendsAndCloses(head(ok), new Uint8Array([0xff, 0xfe, 0, 0xc3, 0x28, 0xed, 0xa0, 0x80])),
  ],
  [
    "sends headers that are not UTF-8",
    { status: 200 },
    sendsAndCloses(`${ok}\r\nx-a: `, new Uint8Array([0xff, 0xfe]), "\r\n\r\n"),
  ],
  [
    "sends 100 Continue first",
    { status: 200 },
    sendsAndCloses(head("HTTP/1.1 100 Continue"), head(ok, "content-length: 2"), "ok"),
  ],
  [
    "sends early hints first",
    { status: 200 },
    sendsAndCloses(head("HTTP/1.1 103 Early Hints", "link: </a>"), head(ok, "content-length: 0")),
  ],
  ["sends endless early hints", { error: "timeout" }, drips("", head("HTTP/1.1 103 Early Hints"), 50)],
  [
    "changes the protocol",
    { status: 101 },
    sendsAndCloses(head("HTTP/1.1 101 Switching", "upgrade: x", "connection: upgrade"), "x"),
  ],
  [
    "sends a body with 204",
    { status: 204 },
    sendsAndCloses(head("HTTP/1.1 204 No Content", "content-length: 5"), "hello"),
  ],
  ["sends invalid chunks", { status: 200 }, sendsAndCloses(head(ok, "transfer-encoding: chunked"), "zz\r\nhello")],
  ["sends an endless chunk", { status: 200 }, drips(head(ok, "transfer-encoding: chunked"), "1\r\na\r\n", 100)],
  ["sends a negative length", { error: "connection" }, sendsAndCloses(head(ok, "content-length: -1"))],
  [
    "redirects to itself",
    { status: 302 },
    sendsAndCloses(head("HTTP/1.1 302 Found", "location: /hook", "content-length: 0")),
  ],
  [
    "responds twice",
    { status: 500 },
    sendsAndCloses(head("HTTP/1.1 500 Broken", "content-length: 0"), head(ok, "content-length: 0")),
  ],
];

describe.concurrent("a receiver that", () => {
  test.each(behaving)("%s is abandoned in time, and little of its response is kept", async (_, expected, behaviour) => {
    const receiver = await receivers.open(behaviour);
    const { attempt, line, webhook } = await receivers.deliverTo(receiver);
    const { status, error } = attempt;
    expect({ status, error }).toEqual({ status: undefined, error: undefined, ...expected });
    expect(attempt.milliseconds).toBeLessThan(5 * limitMilliseconds);
    expect(line.length).toBeLessThan(500);
    const good = status !== undefined && status >= 200 && status < 300;
    expect(webhook).toMatchObject(good ? { pending: 0 } : { pending: 1, lastFailure: expected });
    expect(webhook.lastSuccessAt !== undefined).toBe(good);
    expect(JSON.stringify(webhook).length).toBeLessThan(4096);
    await vi.waitFor(() => expect(receiver.connections).toBe(0), { timeout: 50_000 });
    expect(receiver.taken).toBeLessThan(plenty / 4);
  });

  test("is slow, but within the time limit, counts as delivered", async () => {
    const receiver = await receivers.open(
      (socket) => void setTimeout(() => sendsAndCloses(head(ok, "content-length: 0"))(socket), 500),
    );
    const { attempt, webhook } = await receivers.deliverTo(receiver);
    expect(attempt.status).toBe(200);
    expect(webhook.pending).toBe(0);
  });

  test("is not reachable is reported as a connection error", async () => {
    const receiver = await hostile(() => undefined);
    await receiver.close();
    const read = await receivers.causeDelivery(receiver.url);
    await vi.waitFor(async () => expect((await read()).lastFailure?.error).toBe("connection"), { timeout: 50_000 });
  });

  test("without TLS is reported as a TLS error", async () => {
    const receiver = await receivers.open(sendsAndCloses(head(ok)));
    const read = await receivers.causeDelivery(receiver.url.replace("http:", "https:"));
    await vi.waitFor(async () => expect((await read()).lastFailure?.error).toBe("tls"), { timeout: 50_000 });
  });

  test("with an unknown name is reported as a DNS error", async () => {
    const read = await receivers.causeDelivery("http://nobody.invalid/");
    await vi.waitFor(async () => expect((await read()).lastFailure?.error).toBe("dns"), { timeout: 50_000 });
  });
});
