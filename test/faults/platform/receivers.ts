import { createHmac } from "node:crypto";
import { vi } from "vitest";
import { learnBase64 } from "./base64.ts";
import type { Timeline } from "./timeline.ts";

/** A delivery as it reached the receiver. */
export interface Arrived {
  id: string;
  key: string;
  version: number;
  gap: boolean;
  url: string;
  signatures: string[];
  /** Body and headers for the signature check. */
  signed: { body: string; headers: Record<string, string> };
  /** Simulated time in milliseconds. */
  at: number;
  /** The receiver's behaviour. An accepted delivery counts as received even if the sender does not get the response. */
  answer: Answer;
}

/**
 * How a receiver responds. `lost`: it accepts the delivery, but the connection breaks. `after`: delay in milliseconds.
 */
export interface Answer {
  status?: number;
  lost?: boolean;
  broken?: boolean;
  hangs?: boolean;
  after?: number;
  headers?: Record<string, string>;
}

export const isTaken = ({ status = 0, lost = false }: Answer) => lost || (status >= 200 && status < 300);

/** The simulated receiver of a world. `arrived` records its deliveries; `answer` determines its responses. */
export interface Outside {
  /** Returns a function that tells whether the instance of the object that made this call is still running. */
  lives: () => () => boolean;
  answer: (arrived: Omit<Arrived, "answer">) => Answer;
  arrived: Arrived[];
}

/**
 * Replaces network, timers, clock and cryptography for the classes under test. @returns a function that restores them
 */
export function replaceSurroundings(timeline: Timeline, { lives, answer, arrived }: Outside): () => void {
  learnBase64();
  const spies = [
    vi.spyOn(globalThis, "fetch").mockImplementation((url, init) => {
      const isAlive = lives();
      if (!isAlive()) return never();
      const headers = init!.headers as Record<string, string>;
      const { "webhook-id": id = "", "webhook-signature": signature = "" } = headers;
      const signed = { body: init!.body as string, headers };
      const { resource, sequence: version, gap = false } = JSON.parse(signed.body) as Body;
      const signatures = signature.split(" ");
      const came = { id, key: resource.id, version, gap, url: url as string, signatures, signed, at: timeline.passed };
      const given = answer(came);
      arrived.push({ ...came, answer: given });
      return answered(timeline, given, init!.signal!, isAlive);
    }),
    vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
      const controller = new AbortController();
      timeline.after(milliseconds, () => controller.abort(new DOMException("Too late.", "TimeoutError")));
      return controller.signal;
    }),
    ...timeline.fakeTimers(lives),
    ...swiftSecrets(),
    vi.spyOn(console, "log").mockImplementation(() => undefined),
    vi.spyOn(console, "error").mockImplementation(() => undefined),
  ];
  return () => {
    for (const spy of spies) spy.mockRestore();
  };
}

interface Body {
  resource: { id: string };
  sequence: number;
  gap?: boolean;
}

const never = () => new Promise<never>(() => undefined);

function answered(
  timeline: Timeline,
  { status = 0, lost = false, broken = false, hangs = false, after = 20, headers = {} }: Answer,
  signal: AbortSignal,
  isAlive: () => boolean,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => isAlive() && reject(signal.reason as Error), { once: true });
    if (hangs) return;
    timeline.after(after, () => {
      if (!isAlive() || signal.aborted) return;
      if (lost || broken) reject(new Error("Network connection lost."));
      else resolve({ status, headers: new Headers(headers), body: null } as Response);
    });
  });
}

/**
 * Replaces encryption and decryption with functions that are done within one turn of the event loop. Sealed values are
 * plain text here.
 */
function swiftSecrets() {
  type Raw = { raw: Uint8Array };
  return [
    vi.spyOn(crypto.subtle, "importKey").mockImplementation(async (_: unknown, raw: unknown) => ({ raw }) as never),
    vi.spyOn(crypto.subtle, "decrypt").mockImplementation(async (_, __, sealed) => sealed as ArrayBuffer),
    vi.spyOn(crypto.subtle, "sign").mockImplementation(async (_, key, message) => {
      const digest = createHmac("sha256", (key as unknown as Raw).raw)
        .update(message as Uint8Array)
        .digest();
      return Uint8Array.from(digest).buffer;
    }),
  ];
}
