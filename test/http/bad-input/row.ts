/** A request that must be refused, and the expected refusal. */
export interface Refused {
  what: string;
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  /** The body as text, which may be invalid JSON. */
  text?: string;
  json?: unknown;
  /** Any other body, made when the row runs. */
  body?: () => BodyInit;
  status: number;
  code: string;
  /** JSON pointer of the wrong field, if the error names one. */
  pointer?: string;
  /** Pattern of the error message. */
  says?: RegExp;
}

/** The expected refusal of a wrong field. */
export const field = (pointer: string) => ({ status: 400, code: "validation_failed", pointer });

/** The expected refusal of invalid JSON. */
export const json = { status: 400, code: "invalid_json", pointer: "" };

/** Ends in an unpaired surrogate, as texts that were truncated by length do. */
export const half = "Vzor\ud83d";

/** A number as JSON text that JavaScript would not write; for `textOf`. */
export const raw = (number: string) => `@${number}@`;

export const textOf = (body: unknown) => JSON.stringify(body).replace(/"@(.*?)@"/g, "$1");

/** A file in an otherwise correct request. */
export interface Hostile {
  what: string;
  name?: string;
  make: () => Uint8Array | string;
  /** Error code of the 400 that refuses the upload, or of the `Failed` order; both absent if the file may be read. */
  refused?: string;
  failed?: string;
  /** Opening the file takes long. */
  isLong?: true;
}
