import { Response as Answer, type Request as Sent } from "miniflare";
import { vi } from "vitest";

/** One request that reached a receiver. */
export interface ReceivedRequest {
  method: string;
  headers: Record<string, string>;
  body: string;
  /** Milliseconds since 1970. */
  at: number;
}

export interface ReceiverResponse {
  status: number;
  headers?: Record<string, string>;
  body?: string | ReadableStream<Uint8Array>;
}

/** How a receiver responds. If the promise is never settled, there is no response. */
export type ReceiverBehaviour = (heard: ReceivedRequest) => ReceiverResponse | Promise<ReceiverResponse>;

/**
 * Number of receivers. Test files with a shared service must have different addresses, because deliveries may arrive
 * late.
 */
let count = 0;

/** Simulates receivers of webhooks, each at a new or a given address. Other addresses do not exist. */
export function simulateInternet() {
  const receivers = new Map<string, Receiver>();
  let never: () => void = () => undefined;
  const closed = new Promise<ReceiverResponse>((resolve) => (never = () => resolve({ status: 504 })));
  return {
    address(url = `https://receiver-${++count}.beispiel.de/hooks`): Receiver {
      const receiver = createReceiver(url);
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
      receiver.received.push(heard);
      const { status, headers, body } = await receiver.answer(heard);
      return new Answer(body, { status, headers });
    },
    /** Returns a response that does not come while the test runs. */
    silence: (): Promise<ReceiverResponse> => closed,
    close: () => never(),
  };
}

export interface Receiver {
  url: string;
  received: ReceivedRequest[];
  answer: ReceiverBehaviour;
  /** Sets the response, which is 200 by default. */
  respondWith: (answering: ReceiverBehaviour) => void;
  /** Waits for this many requests and returns them. */
  waitForRequests: (count: number, milliseconds?: number) => Promise<ReceivedRequest[]>;
}

function createReceiver(url: string): Receiver {
  const receiver: Receiver = {
    url,
    received: [],
    answer: () => ({ status: 200 }),
    respondWith: (answering) => void (receiver.answer = answering),
    async waitForRequests(count, milliseconds = 50_000) {
      await vi.waitUntil(() => receiver.received.length >= count, { timeout: milliseconds, interval: 20 });
      return receiver.received;
    },
  };
  return receiver;
}
