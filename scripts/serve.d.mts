import type { D1Database } from "@cloudflare/workers-types";
import type { Miniflare, Request, Response } from "miniflare";

export interface ServeOptions {
  /** Default 127.0.0.1. */
  host?: string;
  /** 0, the default, takes any free one. */
  port?: number;
  /** Folder the objects, archive and files live in; without it they live in a temporary one and go with the service. */
  state?: string;
  /** Added to the `[vars]` of wrangler.toml. */
  vars?: Record<string, string>;
  /** File the Worker's log lines are appended to; without it they are dropped. */
  logs?: string;
  /** Stands for the internet: answers whatever the Worker fetches from outside. Without it the Worker reaches the real one. */
  outbound?: (request: Request) => Response | Promise<Response>;
  /**
   * Bindings to services that this machine has not, by their names: each the source of a module that exports an entrypoint
   * of that name, whose methods the Worker may call. They reach the same internet as the Worker.
   */
  beside?: Record<string, string>;
  /** Folder of the static files and the gazetteer. Default `dist/assets`. */
  assets?: string;
  /** Whether pictures are read, by the OCR Worker in as many runtimes of its own as {@link pagesAtOnce} says. Default false. */
  ocr?: boolean;
  /** Whether the runtime's inspector listens, at `mf.getInspectorURL()`. Default false. */
  inspector?: boolean;
  /** How often the cron fires. Default 60. */
  cronSeconds?: number;
}

export interface Service {
  /** Without a slash at the end. */
  url: string;
  mf: Miniflare;
  archive: D1Database;
  stop: () => Promise<void>;
}

/** @throws AddressUnavailable */
export declare function serve(options?: ServeOptions): Promise<Service>;

/** Makes the archive's tables in a folder that is to be the `state` of a service, or brings them up to date. */
export declare function prepareArchive(directory: string): Promise<void>;

/** How many pages are read at the same time on this machine. */
export declare function pagesAtOnce(): number;
