import type { IndexedFields } from "../../extraction/kinds/kind.ts";
import { storedKinds, type StoredKindName } from "../../extraction/kinds/kinds.ts";

export { storedKinds as documentKinds } from "../../extraction/kinds/kinds.ts";

export type DocumentKind = StoredKindName;
export type DocumentType = (typeof storedKinds)[DocumentKind]["apiName"]["plural"];

/** All kinds, the most likely first. */
export const kindNames = Object.keys(storedKinds) as [DocumentKind, ...DocumentKind[]];
export const typeOfKind = (kind: DocumentKind): DocumentType => storedKinds[kind].apiName.plural;
export const documentTypes = kindNames.map(typeOfKind).toSorted() as [DocumentType, ...DocumentType[]];

const kindsByType = Object.fromEntries(kindNames.map((name) => [typeOfKind(name), name])) as Record<
  DocumentType,
  DocumentKind
>;
export const kindOfType = (type: DocumentType): DocumentKind => kindsByType[type];

/** Returns the fields by which documents of a kind are listed and searched. */
export const indexedFields = (kind: DocumentKind, data: unknown): IndexedFields =>
  (storedKinds[kind].index as (view: unknown) => IndexedFields)(data);

/** All kinds as part of a sentence, such as "an invoice, a receipt or a CMR note". */
export const anyKind = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(
  kindNames.map((name) => storedKinds[name].phrase),
);
