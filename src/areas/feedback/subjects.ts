import type { Scope, ScopeArea } from "../../platform/credential.ts";
import type { Command } from "../../platform/command.ts";
import type { KindName } from "../../extraction/kinds/kinds.ts";
import * as documents from "../documents/index.ts";
import type { Change, Correctable, Correcting, Intake } from "../intake/index.ts";
import * as opportunities from "../opportunities/index.ts";
import * as orders from "../orders/index.ts";
import type { CountedKind, SubjectType } from "./shapes.ts";

/** By whose scope each subject is read: a feedback holds what was read of it. */
export const subjectAreas: Record<SubjectType, ScopeArea> = {
  Order: "orders",
  Opportunity: "freights",
  Document: "documents",
  DocumentCollection: "documents",
  Classification: "documents",
  Transaction: "finance",
};

/** The same by what is counted. */
export const countedAreas: Record<CountedKind, ScopeArea> = {
  order: "orders",
  opportunity: "freights",
  invoice: "documents",
  receipt: "documents",
  cmr: "documents",
  fine: "documents",
  insurance: "documents",
  classification: "documents",
  transaction: "finance",
};

/** A kind of record that is read from files, and that feedback can put right. */
export interface Subject {
  /** What a key must be allowed. */
  scope: Scope;
  /** Where its files and evidence lie in R2. */
  folder: string;
  commands: { look: Command<object, Intake>; correct: Command<Correcting, { changes: Change[] }> };
  correctable: Correctable<Intake>;
}

const subject = (said: { scope: Scope; folder: string; commands: object; correctable: object }) =>
  said as unknown as Subject;

export const subjects = {
  Order: subject({
    scope: "orders:write",
    folder: orders.folder,
    commands: orders.commands,
    correctable: orders.correctable,
  }),
  Opportunity: subject({
    scope: "freights:write",
    folder: opportunities.folder,
    commands: opportunities.commands,
    correctable: opportunities.correctable,
  }),
  Document: subject({
    scope: "documents:write",
    folder: documents.folder,
    commands: documents.commands,
    correctable: documents.correctable,
  }),
};

/** As what the file was read; undefined while nobody knows. */
export const kindOf = ({ correctable }: Subject, record: Intake): KindName | undefined => correctable.kindOf(record);
