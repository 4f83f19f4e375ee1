/** The traffic that the load generator sends: the same kind of request repeatedly, over connections that stay open. */
export interface Traffic {
  /** Address of the server, `http://127.0.0.1:8787`. */
  url: string;
  method: "GET" | "POST" | "PUT";
  /** The paths are used in rotation. */
  paths: string[];
  headers: Record<string, string>;
  /** The bodies are used in rotation with the paths; a single body is sent to all paths. */
  bodies?: Uint8Array[];
  /** The expected status. A response with another status counts as a failure. */
  status: number;
  /** Number of connections, each of which sends one request after the other. */
  connections: number;
  /** The run ends after this time, or after `most` requests. */
  milliseconds: number;
  most?: number;
}

/** The result of a run. */
export interface Tally {
  requests: number;
  seconds: number;
  /** Milliseconds until the complete response has arrived: median and 99th percentile. */
  p50: number;
  p99: number;
  /** Responses with another status than expected, by status. Broken connections count as status 0. */
  failures: Record<string, number>;
}

/** Twelve digits in a body, which the generator overwrites with a serial number, so that no two bodies are the same. */
export const serialSlot = "000000000000";
