import type * as z from "zod";
import type { MailHead, StructuredPart } from "../document/document.ts";
import type { Check, ExtractedItem, ExtractionContext } from "../document/extraction-result.ts";
import type { Party } from "../document/shapes.ts";
import type { DocumentLocale } from "../entities/entity.ts";
import type { DocumentContext } from "../fields/labels/values.ts";
import type { Segment } from "../layout/segment.ts";
import type { Common } from "../layout/split.ts";
import type { ConceptId } from "../lexicon/concepts.ts";
import type { ExtractionFailureReason } from "../problem.ts";

/** A kind of document: how it is recognised, extracted, checked and named. Declared in `<kind>/kind.ts`. */
export interface Kind<View> {
  /** The kind as the API spells it. */
  apiName: ApiName;
  /** For the prompt of a language model: "transport order". */
  description: string;
  view: z.ZodType<View>;
  /** The fields that determine the quality of a result, as JSON pointers; `*` is each item of a list. */
  critical: readonly string[];
  /** Pointer to the list of stops. Stops are numbered by `sequence`, and the language model may drop none. */
  stops?: string;
  /** Field of the view that names the sender of such documents; corrections are remembered for each sender. */
  sender?: string;
  /** Labels that are the title of such a document or in its file name. */
  titles: readonly ConceptId[];
  /** Labels of the document's own number. A page with another number begins another document. */
  numberLabels: readonly ConceptId[];
  /** Undefined or empty for documents of another kind. */
  extract: (
    document: DocumentContext,
    locale: DocumentLocale,
    context: ExtractionContext,
    mail: MailHead | undefined,
  ) => ExtractedItem<View> | ExtractedItem<View>[] | undefined;
  /** Maps XML, EDI or JSON in the file, before anything is extracted from text. Empty for data of another kind. */
  extractStructured?: (
    structured: readonly StructuredPart[],
    document: DocumentContext,
    locale: DocumentLocale,
    context: ExtractionContext,
  ) => ExtractedItem<View>[];
  /** The beginnings of several documents in one file. */
  starts?: (document: DocumentContext) => Segment[];
  /** Segments that belong to all documents of a file, or to none, for the beginnings of the documents. */
  common?: (document: DocumentContext, starts: readonly Segment[]) => Common;
  /** A table may hold one document in each row. */
  isTabular?: boolean;
  /** The subject of a mail may hold values. */
  readsSubject?: boolean;
  /** Names of kinds: a document that is certainly of one of them is not extracted as this kind. By default orders and requests. */
  excludedBy?: readonly string[];
  /** Checks whether the values agree with each other. Other checks of the first extraction remain unchanged. */
  check: (data: View, today: string) => Check[];
  /** Adds fields that depend on the whole view: missing fields, failed checks. */
  complete?: (data: View, checks: Check[]) => View;
  /** The error for a file without a document of this kind. */
  notRecognised: { reason: ExtractionFailureReason; message: string };
}

interface ApiName {
  /** "Receipt" */
  singular: string;
  /** "Receipts" */
  plural: string;
}

/** A kind that is stored under /api/v1/documents. */
export interface StoredKind<View> extends Kind<View> {
  /** The name in messages and schemas: "CMR". */
  noun: string;
  /** In a sentence, with its article: "a CMR note". */
  phrase: string;
  example: View;
  index: (view: View) => IndexedFields;
}

/** The fields that documents of all kinds are listed and searched by. */
export interface IndexedFields {
  number?: string | undefined;
  /** A date, or a local date and time. */
  date?: string | undefined;
  /** Parties, or names alone. */
  parties?: (Party | string | undefined)[];
  licensePlates?: (string | undefined)[];
  amount?: number | undefined;
  currency?: string | undefined;
  /** Further words for full-text search. */
  words?: (string | undefined)[];
}

export const defineKind = <View, const Name extends ApiName>(kind: Kind<View> & { apiName: Name }) => kind;

export const defineStoredKind = <View, const Name extends ApiName, const Noun extends string>(
  kind: Omit<StoredKind<View>, "notRecognised"> & { apiName: Name; noun: Noun },
) => ({ ...kind, notRecognised: notA(kind.phrase) });

/** `notRecognised` of a kind: "The document is not a receipt." */
export const notA = (phrase: string): Kind<unknown>["notRecognised"] => ({
  reason: "input_not_a_document_of_this_kind",
  message: `The document is not ${phrase}.`,
});
