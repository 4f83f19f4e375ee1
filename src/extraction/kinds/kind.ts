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
import type { OrderLabeller } from "./order/labeller/complete.ts";

/** A kind of document, declared in `<kind>/kind.ts`: how it is named, recognised, extracted and checked. */
export interface Kind<View> {
  apiName: ApiName;
  /** Name in the prompt of the language model, such as "transport order". */
  description: string;
  view: z.ZodType<View>;
  /** JSON pointers to the fields that determine the quality of a result. `*` stands for each item of a list. */
  critical: readonly string[];
  /**
   * JSON pointer to the list of stops, whose items have a `sequence`. A warning reports if the language model finds
   * more or fewer stops.
   */
  stops?: string;
  /** Field of the view that contains the sender. Corrections are remembered by sender. */
  sender?: string;
  /** Labels that are titles of such documents or occur in their file names. */
  titles: readonly ConceptId[];
  /** Labels of the document's own number. A page with another number starts another document. */
  numberLabels: readonly ConceptId[];
  /**
   * Undefined or empty if the document is of another kind.
   * @param labeller fills in what the rules leave empty in orders
   */
  extract: (
    document: DocumentContext,
    locale: DocumentLocale,
    context: ExtractionContext,
    mail: MailHead | undefined,
    labeller: OrderLabeller | undefined,
  ) => ExtractedItem<View> | ExtractedItem<View>[] | undefined;
  /**
   * Extracts from XML, EDI or JSON data in the file, before the text is tried. Empty if the data is of another kind.
   */
  extractStructured?: (
    structured: readonly StructuredPart[],
    document: DocumentContext,
    locale: DocumentLocale,
    context: ExtractionContext,
  ) => ExtractedItem<View>[];
  /** Finds the first segment of each document in a file with several documents. */
  starts?: (document: DocumentContext) => Segment[];
  /**
   * Finds the segments that belong to all documents of the file, or to none.
   * @param starts the first segments of the documents
   */
  common?: (document: DocumentContext, starts: readonly Segment[]) => Common;
  /** Whether each row of a table may be a separate document. */
  isTabular?: boolean;
  /** Whether the subject of a mail may contain values. */
  readsSubject?: boolean;
  /**
   * If only this kind is requested, a document that is certainly of one of these kinds is not extracted. Default:
   * orders and requests for a quote.
   */
  excludedBy?: readonly string[];
  /** Checks whether the values agree with each other. Runs again when values change. */
  check: (data: View, today: string) => Check[];
  /** Adds fields that depend on the whole view, such as missing fields and failed checks. */
  complete?: (data: View, checks: Check[]) => View;
  notRecognised: { reason: ExtractionFailureReason; message: string };
}

interface ApiName {
  singular: string;
  plural: string;
}

/** A kind that is stored under /api/v1/documents. */
export interface StoredKind<View> extends Kind<View> {
  /** Name in messages and schemas, such as "CMR". */
  noun: string;
  /** Name with its article, for sentences, such as "a CMR note". */
  phrase: string;
  example: View;
  index: (view: View) => IndexedFields;
}

export interface IndexedFields {
  number?: string | undefined;
  /** A date, or a local date and time. */
  date?: string | undefined;
  /** Parties, or only their names. */
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

/** The value of `notRecognised`, with a message such as "The document is not a receipt." */
export const notA = (phrase: string): Kind<unknown>["notRecognised"] => ({
  reason: "input_not_a_document_of_this_kind",
  message: `The document is not ${phrase}.`,
});
