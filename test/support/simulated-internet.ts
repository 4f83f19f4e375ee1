import { Response as Answer, type Request as Sent } from "miniflare";
import { vi } from "vitest";

/** One request that reached a receiver. */
export interface Heard {
  method: string;
  headers: Record<string, string>;
  body: string;
  /** Milliseconds since 1970. */
  at: number;
}

export interface Said {
  status: number;
  headers?: Record<string, string>;
  body?: string | ReadableStream<Uint8Array>;
}

/** How a receiver answers; one that never settles does not answer at all. */
export type Answering = (heard: Heard) => Said | Promise<Said>;

/** Files that share a service must not share addresses: what one of them leaves behind may still be delivered in the next. */
let count = 0;

/** Receivers of webhooks, each at an address of its own, or at one that is named. Nothing else is out there. */
export function falseInternet() {
  const receivers = new Map<string, Receiver>();
  let never: () => void = () => undefined;
  const closed = new Promise<Said>((resolve) => (never = () => resolve({ status: 504 })));
  return {
    address(url = `https://receiver-${++count}.beispiel.de/hooks`): Receiver {
      const receiver = newReceiver(url);
      receivers.set(receiver.url, receiver);
      return receiver;
    },
    answer: async (sent: Sent): Promise<Answer> => {
      const receiver = receivers.get(sent.url);
      if (!receiver) return new Answer("There is nobody here.", { status: 404 });
      const heard = {
        method: sent.method,
        headers: Object.fromEntries(sent.headers),
        body: await sent.text(),
        at: Date.now(),
      };
      receiver.heard.push(heard);
      const { status, headers, body } = await receiver.answer(heard);
      return new Answer(body, { status, headers });
    },
    /** An answer that does not come while the test runs. */
    silence: (): Promise<Said> => closed,
    close: () => never(),
  };
}

export interface Receiver {
  url: string;
  heard: Heard[];
  answer: Answering;
  /** From now on it answers so; until something is said, 200. */
  answers: (answering: Answering) => void;
  /** What it has heard, once it is this much. */
  hears: (count: number, milliseconds?: number) => Promise<Heard[]>;
}

function newReceiver(url: string): Receiver {
  const receiver: Receiver = {
    url,
    heard: [],
    answer: () => ({ status: 200 }),
    answers: (answering) => void (receiver.answer = answering),
    async hears(count, milliseconds = 50_000) {
      await vi.waitUntil(() => receiver.heard.length >= count, { timeout: milliseconds, interval: 20 });
      return receiver.heard;
    },
  };
  return receiver;
}
