import type { MailHead } from "../document/document.ts";
import type { SeeingContext } from "../entities/entity.ts";
import type { Annotations } from "../fields/labels/annotations.ts";

/** A document with all labels and entities on it. */
export interface SeenPage {
  marks: Annotations;
  seeing: SeeingContext;
  mail: MailHead | undefined;
}
