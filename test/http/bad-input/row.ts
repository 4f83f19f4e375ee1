/** A request that must be refused, and the expected refusal. */
export interface Refused {
  what: string;
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  /** The body as text, which may be invalid JSON. */
  text?: string;
  json?: unknown;
  /** Makes any other body when the row is tested. */
  body?: () => BodyInit;
  status: number;
  code: string;
  /** JSON pointer of the wrong field, if the error names one. */
  pointer?: string;
  /** Pattern of the error message. */
  says?: RegExp;
}

/** Returns the expected refusal of a wrong field. */
export const field = (pointer: string) => ({ status: 400, code: "validation_failed", pointer });

/** The expected refusal of invalid JSON. */
export const json = { status: 400, code: "invalid_json", pointer: "" };

/** A text that ends with an unpaired surrogate, as texts may when they are truncated. */
export const half = "Vzor\ud83d";

/** Marks a number, in a notation that JavaScript would not write, so that `textOf` writes it unchanged. */
export const raw = (number: string) => `@${number}@`;

export const textOf = (body: unknown) => JSON.stringify(body).replace(/"@(.*?)@"/g, "$1");

/** A file in an otherwise correct request. */
export interface Hostile {
  what: string;
  name?: string;
  make: () => Uint8Array | string;
  /**
   * The expected error code of the 400 that refuses the upload. Without `refused` and `failed`, any result is allowed.
   */
  refused?: string;
  /** The expected error code of the order, which is accepted and then fails. */
  failed?: string;
  /** Whether it takes long to open the file. */
  isLong?: true;
}
