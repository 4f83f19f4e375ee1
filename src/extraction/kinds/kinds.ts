import type { MailHead, StructuredPart } from "../document/document.ts";
import type { ReadingReason } from "../problem.ts";
import type { Reading, ReadingContext } from "../document/reading.ts";
import type { SeeingContext } from "../entities/entity.ts";
import type { Segment } from "../layout/segment.ts";
import type { Common } from "../layout/split.ts";
import type { DocumentContext } from "../fields/labels/values.ts";
import { readCmr } from "./cmr/cmr.ts";
import { readDriverDocument } from "./driver-document/driver-document.ts";
import { readFine } from "./fine/fine.ts";
import { readInsurance } from "./insurance/insurance.ts";
import { mapInvoice } from "./invoice/structured-data.ts";
import { readInvoice } from "./invoice/invoice.ts";
import { invoiceStarts } from "./invoice/starts.ts";
import { readOpportunity } from "./opportunity/opportunity.ts";
import { readOrder } from "./order/order.ts";
import { commonToOrders, orderStarts } from "./order/starts.ts";
import { mappedOrders } from "./order/structured-data.ts";
import { readReceipt } from "./receipt/receipt.ts";

/** How one kind of document is told and read. */
export interface Kind<View> {
  /** Undefined, or nothing, where the words are no such document. */
  read: (
    around: DocumentContext,
    seeing: SeeingContext,
    context: ReadingContext,
    mail: MailHead | undefined,
  ) => Reading<View> | Reading<View>[] | undefined;
  /** Takes the values from data that was data in the file, before anything is guessed; nothing where it is of another kind. */
  mapped?: (
    structured: readonly StructuredPart[],
    around: DocumentContext,
    seeing: SeeingContext,
    context: ReadingContext,
  ) => Reading<View>[];
  /** A file may hold several of them: in the rows of a table, or one after the other where each begins. */
  several?: {
    starts: (around: DocumentContext) => Segment[];
    /** What is printed once for all that begin at these segments. */
    common?: (around: DocumentContext, starts: readonly Segment[]) => Common;
  };
  /** A file may hold several of them one after the other, never in the rows of a table. */
  begins?: (around: DocumentContext) => Segment[];
  /** What it asks may stand in a mail's subject alone. */
  readsSubject?: boolean;
  /** Why nothing was read from a file that is none of them. */
  none: { reason: ReadingReason; message: string };
}

const otherKind = "input_not_a_document_of_this_kind";

/** Every kind of document that can be read, by its name. */
export const kinds = {
  order: {
    read: readOrder,
    mapped: mappedOrders,
    several: { starts: orderStarts, common: commonToOrders },
    none: { reason: "input_not_freight", message: "The document is not a transport order." },
  },
  opportunity: {
    read: readOpportunity,
    several: { starts: () => [] },
    readsSubject: true,
    none: { reason: "input_not_freight", message: "The text does not ask for a transport." },
  },
  invoice: {
    read: readInvoice,
    mapped: mapInvoice,
    begins: invoiceStarts,
    none: { reason: otherKind, message: "The document is not an invoice." },
  },
  receipt: {
    read: readReceipt,
    none: { reason: otherKind, message: "The document is not a receipt." },
  },
  cmr: {
    read: readCmr,
    none: { reason: otherKind, message: "The document is not a CMR note." },
  },
  fine: {
    read: readFine,
    none: { reason: otherKind, message: "The document is not a fine." },
  },
  insurance: {
    read: readInsurance,
    none: { reason: otherKind, message: "The document is not an insurance policy." },
  },
  "driver-document": {
    read: readDriverDocument,
    none: { reason: otherKind, message: "The document is none that a driver carries." },
  },
} satisfies Record<string, Kind<unknown>>;

export type KindName = keyof typeof kinds;

/** The kind of this name, knowing what it reads. */
export const kindNamed = <Name extends KindName>(name: Name): Kind<ViewOf<Name>> =>
  kinds[name] as unknown as Kind<ViewOf<Name>>;

/** What is read from a document of this kind. */
export type ViewOf<Name extends KindName> = (typeof kinds)[Name] extends { read: (...given: never) => infer Read }
  ? ViewIn<Read>
  : never;
type ViewIn<Read> = Read extends Reading<infer View> | Reading<infer View>[] ? View : never;
