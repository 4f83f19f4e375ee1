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
  /** What its message must say. */
  says?: RegExp;
}

/** How a wrong field is refused. */
export const field = (pointer: string) => ({ status: 400, code: "validation_failed", pointer });

/** How what is no JSON is refused. */
export const json = { status: 400, code: "invalid_json", pointer: "" };

/** Ends in half a character, as texts do that were cut by their length. */
export const half = "Vzor\ud83d";

/** A number as JSON text, such as JavaScript does not write: for `textOf`. */
export const raw = (number: string) => `@${number}@`;

export const textOf = (body: unknown) => JSON.stringify(body).replace(/"@(.*?)@"/g, "$1");

/** A file that is taken for reading, or not; everything else about the request is right. */
export interface Hostile {
  what: string;
  name?: string;
  make: () => Uint8Array | string;
  /** The code of the 400 that refuses the upload, or of the `Failed` order it ends as; none when it may be read. */
  refused?: string;
  failed?: string;
  /** Whoever opens it is busy for a while. */
  isLong?: true;
}
