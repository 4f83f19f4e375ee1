import { Schemas } from "./schemas.ts";

/** Components that operations share, collected while the document is built. */
export class Components {
  readonly schemas = new Schemas();
  readonly responses: Record<string, unknown> = {};
  readonly examples: Record<string, unknown> = {};
  /** The deployment's address, without a trailing slash. */
  readonly base: string;

  constructor(base: string) {
    this.base = base;
  }
}
