import { Schemas } from "./schemas.ts";

/** What the operations of the contract share, gathered while they are written down. */
export class Components {
  readonly schemas = new Schemas();
  readonly responses: Record<string, unknown> = {};
  readonly examples: Record<string, unknown> = {};
  /** The deployment's address, without a slash at the end. */
  readonly base: string;

  constructor(base: string) {
    this.base = base;
  }
}
