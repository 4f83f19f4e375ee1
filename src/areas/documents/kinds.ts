import type * as z from "zod";
import { CmrView } from "../../extraction/kinds/cmr/view.ts";
import { FineView } from "../../extraction/kinds/fine/view.ts";
import { InsuranceView } from "../../extraction/kinds/insurance/view.ts";
import { InvoiceView } from "../../extraction/kinds/invoice/view.ts";
import type { Party } from "../../extraction/document/shapes.ts";
import { ReceiptView } from "../../extraction/kinds/receipt/view.ts";

/** What a document is found by, whatever its kind. */
export interface Facts {
  number?: string | undefined;
  /** A date, or a local date and time. */
  date?: string | undefined;
  /** Who is named in it: parties, or names alone. */
  parties?: (Party | string | undefined)[];
  licensePlates?: (string | undefined)[];
  amount?: number | undefined;
  currency?: string | undefined;
  /** Other words to find it by. */
  words?: (string | undefined)[];
}

interface Kind<View> {
  /** As it is asked for. */
  type: string;
  /** In a sentence. */
  noun: string;
  view: z.ZodType<View>;
  facts: (view: View) => Facts;
}

const kind = <const Type extends string, View>(said: Kind<View> & { type: Type }) => said;

/** The kinds of documents, as the engine calls them and paths name them. */
export const documentKinds = {
  invoice: kind({
    type: "Invoices",
    noun: "Invoice",
    view: InvoiceView,
    facts: ({ number, issueDate, seller, buyer, licensePlates, grossAmount, currency, orderNumbers, lines }) => ({
      number,
      date: issueDate,
      parties: [seller, buyer],
      licensePlates,
      amount: grossAmount,
      currency,
      words: [...(orderNumbers ?? []), ...(lines ?? []).map(({ description }) => description)],
    }),
  }),
  receipt: kind({
    type: "Receipts",
    noun: "Receipt",
    view: ReceiptView,
    facts: ({ number, issuedAt, merchant, licensePlate, grossAmount, currency, items, category }) => ({
      number,
      date: issuedAt,
      parties: [merchant],
      licensePlates: [licensePlate],
      amount: grossAmount,
      currency,
      words: [category, ...(items ?? []).map(({ description }) => description)],
    }),
  }),
  cmr: kind({
    type: "Cmrs",
    noun: "CMR",
    view: CmrView,
    facts: ({
      number,
      sender,
      consignee,
      carrier,
      successiveCarriers,
      takingOver,
      delivery,
      goods,
      licensePlates,
    }) => ({
      number,
      date: takingOver?.date,
      parties: [sender, consignee, carrier, ...(successiveCarriers ?? [])],
      licensePlates,
      words: [takingOver?.place, delivery?.place, ...(goods ?? []).map(({ nature }) => nature)],
    }),
  }),
  fine: kind({
    type: "Fines",
    noun: "Fine",
    view: FineView,
    facts: ({ reference, authority, offenceAt, place, offenceType, licensePlate, amount, currency }) => ({
      number: reference,
      date: offenceAt,
      parties: [authority],
      licensePlates: [licensePlate],
      amount,
      currency,
      words: [place, offenceType],
    }),
  }),
  insurance: kind({
    type: "Insurances",
    noun: "Insurance",
    view: InsuranceView,
    facts: ({ policyNumber, insurer, policyHolder, validFrom, sumInsured, currency, licensePlates, kind: cover }) => ({
      number: policyNumber,
      date: validFrom,
      parties: [insurer, policyHolder],
      licensePlates,
      amount: sumInsured,
      currency,
      words: [cover],
    }),
  }),
};

export type DocumentKind = keyof typeof documentKinds;
export type DocumentType = (typeof documentKinds)[DocumentKind]["type"];

/** The likeliest first, where a document does not call itself anything. */
export const kindNames = Object.keys(documentKinds) as [DocumentKind, ...DocumentKind[]];
export const documentTypes = ["Cmrs", "Fines", "Insurances", "Invoices", "Receipts"] as const satisfies DocumentType[];

const kindsByType = Object.fromEntries(kindNames.map((name) => [documentKinds[name].type, name])) as Record<
  DocumentType,
  DocumentKind
>;
export const kindOfType = (type: DocumentType): DocumentKind => kindsByType[type];

/** What is found under, read off the data of a document of this kind. */
export const factsOf = (name: DocumentKind, data: unknown): Facts =>
  (documentKinds[name].facts as (view: unknown) => Facts)(data);
