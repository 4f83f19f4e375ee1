import type { Scope, ScopeArea } from "../../platform/credential.ts";
import type { Command } from "../../platform/command.ts";
import type { KindName } from "../../extraction/kinds/kinds.ts";
import { commands as documentCommands, correctable as documentCorrectable } from "../documents/commands.ts";
import { kindNames as documentKindNames, type DocumentKind } from "../documents/kinds.ts";
import { files as documentFiles } from "../documents/model.ts";
import type { CorrectionInput } from "../intake/commands.ts";
import type { Correctable } from "../intake/corrections.ts";
import type { FieldChange, Intake } from "../intake/model.ts";
import { commands as opportunityCommands, correctable as opportunityCorrectable } from "../opportunities/commands.ts";
import { files as opportunityFiles } from "../opportunities/model.ts";
import { commands as orderCommands, correctable as orderCorrectable } from "../orders/commands.ts";
import { files as orderFiles } from "../orders/model.ts";
import type { CountedKind, SubjectType } from "./model.ts";

/**
 * The area of the scope that a caller needs to read feedback, by the type of the rated record, because feedback
 * contains data of that record.
 */
export const subjectAreas: Record<SubjectType, ScopeArea> = {
  Order: "orders",
  Opportunity: "freights",
  Document: "documents",
  DocumentCollection: "documents",
  Classification: "documents",
  Transaction: "finance",
};

/** The area of the scope that a caller needs to read the metrics, by the kind of record. */
export const countedAreas: Record<CountedKind, ScopeArea> = {
  order: "orders",
  opportunity: "freights",
  ...(Object.fromEntries(documentKindNames.map((kind) => [kind, "documents"])) as Record<DocumentKind, "documents">),
  classification: "documents",
  transaction: "finance",
};

/** A type of record that is extracted from files and can be corrected. */
export interface Subject {
  /** Required to give feedback. */
  scope: Scope;
  /** R2 folder of the files and the evidence. */
  folder: string;
  commands: { look: Command<object, Intake>; correct: Command<CorrectionInput, { changes: FieldChange[] }> };
  correctable: Correctable<Intake>;
}

const subject = (declared: { scope: Scope; folder: string; commands: object; correctable: object }) =>
  declared as unknown as Subject;

export const subjects = {
  Order: subject({
    scope: "orders:write",
    folder: orderFiles.folder,
    commands: orderCommands,
    correctable: orderCorrectable,
  }),
  Opportunity: subject({
    scope: "freights:write",
    folder: opportunityFiles.folder,
    commands: opportunityCommands,
    correctable: opportunityCorrectable,
  }),
  Document: subject({
    scope: "documents:write",
    folder: documentFiles.folder,
    commands: documentCommands,
    correctable: documentCorrectable,
  }),
};

/** Returns the kind of the extracted document; undefined if it is not known yet. */
export const kindOf = ({ correctable }: Subject, record: Intake): KindName | undefined => correctable.kindOf(record);
