/** A request that must be refused, and how. */
export interface Refused {
  what: string;
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  /** JSON text as it is sent, however wrong. */
  text?: string;
  json?: unknown;
  /** Any other body, made when it is its turn. */
  body?: () => BodyInit;
  status: number;
  code: string;
  /** The wrong field, when one is named. */
  pointer?: string;
}

/** A file that is taken for reading, or not; everything else about the request is right. */
export interface Hostile {
  what: string;
  name?: string;
  make: () => Uint8Array | string;
  /** The code of the 400 that refuses the upload, or of the `Failed` order it ends as; none when it may be read. */
  refused?: string;
  failed?: string;
}
