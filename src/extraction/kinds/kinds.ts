import { cmr } from "./cmr/kind.ts";
import { driverDocument } from "./driver-document/kind.ts";
import { fine } from "./fine/kind.ts";
import { insurance } from "./insurance/kind.ts";
import { invoice } from "./invoice/kind.ts";
import type { Kind } from "./kind.ts";
import { opportunity } from "./opportunity/kind.ts";
import { order } from "./order/kind.ts";
import { receipt } from "./receipt/kind.ts";

/** The kinds that are stored under /api/v1/documents, the most frequent first. */
export const storedKinds = { invoice, receipt, cmr, fine, insurance };

/** All kinds of documents that can be extracted. */
export const kinds = { order, opportunity, ...storedKinds, "driver-document": driverDocument };

export type StoredKindName = keyof typeof storedKinds;
export type KindName = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as KindName[];

type Views = { [Name in KindName]: (typeof kinds)[Name] extends Kind<infer View> ? View : never };

export type ViewOf<Name extends KindName> = Views[Name];

export const kindNamed = <Name extends KindName>(name: Name): Kind<ViewOf<Name>> =>
  kinds[name] as unknown as Kind<ViewOf<Name>>;
