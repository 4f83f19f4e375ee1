/** What the load generator is told to send: the same request again and again, each on a connection that stays open. */
export interface Traffic {
  /** Address of the server, `http://127.0.0.1:8787`. */
  url: string;
  method: "GET" | "POST" | "PUT";
  /** Taken in turn. */
  paths: string[];
  headers: Record<string, string>;
  /** Taken in turn beside the paths; a single one goes to all of them. */
  bodies?: Uint8Array[];
  /** The one good status; another is a failure. */
  status: number;
  /** Requests on their way at any moment: each connection sends the next when it has the answer to the last. */
  connections: number;
  /** The run is over after this time, or after `most` requests. */
  milliseconds: number;
  most?: number;
}

/** What came of it. */
export interface Tally {
  requests: number;
  seconds: number;
  /** Time to the whole answer, in milliseconds: of half of the requests, and of all but one in a hundred. */
  p50: number;
  p99: number;
  /** Answers with another status than the good one, by status; connections that broke count as status 0. */
  failures: Record<string, number>;
}

/** Twelve digits in a body that the generator overwrites with a number never used before, so that no two bodies are the same. */
export const serialSlot = "000000000000";
