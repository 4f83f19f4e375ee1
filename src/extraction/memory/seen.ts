import type { MailHead } from "../document/document.ts";
import type { SeeingContext } from "../entities/entity.ts";
import type { Marks } from "../fields/labels/marks.ts";

/** A document with all labels and entities on it. */
export interface SeenPage {
  marks: Marks;
  seeing: SeeingContext;
  mail: MailHead | undefined;
}
