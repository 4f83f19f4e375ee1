import type { MailHead } from "../document/document.ts";
import type { DocumentLocale } from "../entities/entity.ts";
import type { Annotations } from "../fields/labels/annotations.ts";

/** A document with all labels and entities on it. */
export interface AnnotatedPage {
  annotations: Annotations;
  locale: DocumentLocale;
  mail: MailHead | undefined;
}
