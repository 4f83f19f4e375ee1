import type { MailHead } from "../document.ts";
import type { SeeingContext } from "../see/entity.ts";
import type { Marks } from "../understand/labels/marks.ts";

/** A document with all labels and entities on it. */
export interface SeenPage {
  marks: Marks;
  seeing: SeeingContext;
  mail: MailHead | undefined;
}
