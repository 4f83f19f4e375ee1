import type { ConceptId } from "../../lexicon/concepts.ts";
import { defineKind, notA } from "../kind.ts";
import { checkDriverDocument } from "./checks.ts";
import { extractDriverDocument } from "./driver-document.ts";
import { driverTitles } from "./type.ts";
import { DriverDocumentView } from "./view.ts";

export const driverDocument = defineKind({
  apiName: { singular: "DriverDocument", plural: "DriverDocuments" },
  description: "driver's document",
  view: DriverDocumentView,
  critical: ["/number", "/issuingCountry", "/expiresAt"],
  titles: Object.keys(driverTitles) as ConceptId[],
  numberLabels: ["documentNumber"],
  extract: extractDriverDocument,
  check: (data) => checkDriverDocument(data, undefined),
  notRecognised: notA("a driver's document"),
});
