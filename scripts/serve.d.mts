import type { D1Database } from "@cloudflare/workers-types";
import type { Miniflare, Request, Response } from "miniflare";

export interface ServeOptions {
  /** Default: 127.0.0.1. */
  host?: string;
  /** Default: 0, which is any free port. */
  port?: number;
  /** Folder for objects, archive and files. Default: a temporary folder that is deleted when the service stops. */
  state?: string;
  /** Added to the `[vars]` of wrangler.toml. */
  vars?: Record<string, string>;
  /** File to which the Worker's log lines are appended. Default: they are discarded. */
  logs?: string;
  /** Simulates the internet: answers each request of the Worker to the outside. Default: the Worker reaches the real internet. */
  outbound?: (request: Request) => Response | Promise<Response>;
  /**
   * Simulates service bindings that do not exist on this machine. Each name is mapped to the source of a module that exports an
   * entrypoint of that name, with the methods that the Worker calls. `outbound` also answers the requests of these modules.
   */
  beside?: Record<string, string>;
  /** Folder of the static files and the gazetteer. Default: `dist/assets`. */
  assets?: string;
  /** Whether scans are recognised. The OCR Worker then runs in {@link pagesAtOnce} separate runtimes. Default: false. */
  ocr?: boolean;
  /** Whether the runtime's inspector listens at `mf.getInspectorURL()`. Default: false. */
  inspector?: boolean;
  /** Seconds between two runs of the cron. Default: 60. */
  cronSeconds?: number;
}

export interface Service {
  /** The service's address, without a trailing slash. */
  url: string;
  mf: Miniflare;
  archive: D1Database;
  stop: () => Promise<void>;
}

/** @throws AddressUnavailable */
export declare function serve(options?: ServeOptions): Promise<Service>;

/** Creates or migrates the archive's tables in a folder that will be the `state` of a service. */
export declare function prepareArchive(directory: string): Promise<void>;

/** Returns how many pages this machine recognises at the same time. */
export declare function pagesAtOnce(): number;
