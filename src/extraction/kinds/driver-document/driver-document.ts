import type { ConceptId } from "../../lexicon/concepts.ts";
import type { ExtractedItem, ExtractionContext } from "../../document/extraction-result.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { findMachineReadableZone, type MachineReadableZone } from "../../entities/mrz.ts";
import { findCodes } from "../../fields/labels/codes.ts";
import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import { numbersIn } from "../../fields/labels/numbered.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { withWrappedLabels } from "../../fields/labels/wrapped-labels.ts";
import { withChecks } from "../checks.ts";
import { segmentValue } from "../field-values.ts";
import { categoriesOf } from "./categories.ts";
import { numberedFields, type FieldNumber } from "./numbered-fields.ts";
import { checkDriverDocument } from "./checks.ts";
import { documentDates } from "./dates.ts";
import { nameOf } from "./holder.ts";
import { scores } from "./scores.ts";
import { driverTypeOf, issuingCountryOf } from "./type.ts";
import type { DriverDocumentType, DriverDocumentView } from "./view.ts";

type DocumentDraft = NonNullable<FieldValues<DriverDocumentView>>;

/** Extracts a document that a driver carries. Undefined if the document is of another kind. */
export function extractDriverDocument(
  unprepared: DocumentContext,
  locale: DocumentLocale,
  { today }: ExtractionContext,
): ExtractedItem<DriverDocumentView> | undefined {
  const document = withWrappedLabels(unprepared);
  const { segments } = document.annotations.layout;
  const zone = findMachineReadableZone(
    segments.map(({ text }) => text),
    today,
  );
  const type = typeOf(document, zone, segments);
  if (!type && !hasDriverFields(document)) return undefined;
  const draft = draftOf(document, locale, type, zone && fromZone(zone, segments));
  return withChecks<DriverDocumentView>(draft, document, (data) => checkDriverDocument(data, zone));
}

const driverLabels: ReadonlySet<ConceptId> = new Set([
  "documentNumber",
  "issuedOn",
  "expiresOn",
  "issuedBy",
  "licenceCategories",
  "surname",
  "givenNames",
  "birthDate",
  "holderName",
]);

function hasDriverFields(document: DocumentContext): boolean {
  const labelled = new Set(
    document.annotations.labels.flatMap(({ standing, meanings }) =>
      standing === "Loose"
        ? []
        : meanings.filter(({ concept }) => driverLabels.has(concept)).map(({ concept }) => concept),
    ),
  );
  return (labelled.size >= 3 && labelled.has("birthDate")) || numberedFields(document).size > 0;
}

function typeOf(
  document: DocumentContext,
  zone: MachineReadableZone | undefined,
  segments: readonly Segment[],
): FieldValue<DriverDocumentType> | undefined {
  const titled = driverTypeOf(document);
  const line = zone && segments[zone.lines[0] ?? 0];
  const typeFrom = (type: DriverDocumentType, confidence: number) => line && segmentValue(type, line, confidence);
  if (zone?.kind === "Passport") return typeFrom("Passport", scores.type.passportZone);
  if (zone && /^[IAC]/u.test(zone.code) && titled?.value !== "ResidencePermit")
    return typeFrom(
      zone.code === "IR" ? "ResidencePermit" : "IdentityCard",
      titled ? scores.type.zoneAndTitle : scores.type.zone,
    );
  return titled;
}

/** A value with a wrong check digit is left out, so that it is taken from the text instead. */
function fromZone(zone: MachineReadableZone, segments: readonly Segment[]): DocumentDraft {
  const right = (field: string) => zone.checks.some((check) => check.field === field && check.passed);
  const [numberLine, datesLine, nameLine] = zone.lines.length === 3 ? [0, 1, 2] : [1, 1, 0];
  const valueIn = (line: number, value: string, confidence: number) =>
    segmentValue(value, segments[zone.lines[line] ?? 0]!, confidence);
  const { checked, country, name: nameScore } = scores.zone;
  const name = [zone.givenNames, zone.surname].filter(Boolean).join(" ");
  return {
    ...(right("number") && { number: valueIn(numberLine, zone.number, checked) }),
    ...(zone.country && { issuingCountry: valueIn(0, zone.country, country) }),
    ...(zone.expiresAt && right("expiresAt") && { expiresAt: valueIn(datesLine, zone.expiresAt, checked) }),
    holder: {
      ...(name && { name: valueIn(nameLine, name, nameScore) }),
      ...(zone.birthDate && right("birthDate") && { birthDate: valueIn(datesLine, zone.birthDate, checked) }),
    },
  };
}

function draftOf(
  document: DocumentContext,
  locale: DocumentLocale,
  type: FieldValue<DriverDocumentType> | undefined,
  zone: DocumentDraft | undefined,
): DocumentDraft {
  const fields = numberedFields(document, type?.value);
  const numbered = type?.value === "Adr" ? ofAdrCertificate(fields) : fields;
  const dates = documentDates(document, locale, numbered, type?.value);
  const number = zone?.number ?? numberOf(document, fields, type?.value);
  const country = zone?.issuingCountry ?? issuingCountryOf(document);
  const expiresAt = zone?.expiresAt ?? dates.expiresAt();
  const birthDate = zone?.holder?.birthDate ?? dates.birthDate();
  const issuedAt = dates.issuedAt([expiresAt?.value, birthDate?.value]);
  const printed = nameOf(document, numbered);
  const name = printed && !(zone && isInTwoScripts(printed.value)) ? printed : zone?.holder?.name;
  return {
    type: type ?? new FieldValue<DriverDocumentType>("Other", scores.type.unknown, undefined, "Computed"),
    ...(number && { number }),
    ...(country && { issuingCountry: country }),
    ...(issuedAt && { issuedAt }),
    ...(expiresAt && { expiresAt }),
    categories: categoriesOf(document, type?.value, fields),
    holder: { ...(name && { name }), ...(birthDate && { birthDate }) },
  };
}

const isInTwoScripts = (name: string): boolean =>
  /\p{sc=Latin}/u.test(name) && /[\p{sc=Cyrillic}\p{sc=Greek}]/u.test(name);

/** The model of ADR 8.2.2.8.5 numbers the fields from the number of the certificate: 2 surname, 3 given names, 4 birth. */
function ofAdrCertificate(fields: ReadonlyMap<FieldNumber, TextSpan>): Map<FieldNumber, TextSpan> {
  const renumbered = { "2": "1", "3": "2", "4": "3" } as const;
  return new Map(
    Object.entries(renumbered).flatMap(([from, to]) => {
      const span = fields.get(from as FieldNumber);
      return span ? [[to, span] as const] : [];
    }),
  );
}

const numberFields: Partial<Record<DriverDocumentType, readonly FieldNumber[]>> = {
  Adr: ["1"],
  DriverCard: ["5b"],
  Code95: ["5b", "5"],
  DrivingLicence: ["5"],
};

function numberOf(
  document: DocumentContext,
  fields: ReadonlyMap<FieldNumber, TextSpan>,
  type: DriverDocumentType | undefined,
): FieldValue<string> | undefined {
  const [field] = (numberFields[type ?? "Other"] ?? ["5"]).flatMap((number) => fields.get(number) ?? []);
  if (field && /\d/u.test(field.text)) return codeIn(field);
  const [labelled] = findCodes(document, ["documentNumber", "policyNumber"]).filter(
    ({ score }) => score >= scores.number.labelled.min,
  );
  if (labelled) return grouped(labelled.span, labelled.score);
  for (const segment of document.annotations.layout.segments) {
    const [number] = document.prose.has(segment) || segment.page > 1 ? [] : numbersIn(segment.text);
    if (number && number.text.replace(/\D/gu, "").length >= 3)
      return new FieldValue(number.text, scores.number.unlabelled, { segment, ...number });
  }
  const [other] = findCodes(document, ["orderNumber", "reference", "cardNumber", "registrationNumber"]).filter(
    ({ score }) => score >= scores.number.otherLabel.min,
  );
  return other && grouped(other.span, other.score * scores.number.otherLabel.factor);
}

/** The number ends before the first word in lower case, as in "5. AB123456 issued by ...". */
function codeIn(field: TextSpan): FieldValue<string> {
  const named = /^\p{L}+[.°º]+\s+/u.exec(field.text)?.[0].length ?? 0;
  const code = field.text.slice(named).split(/\s+(?=\p{Ll}{2})/u)[0] ?? field.text;
  const start = field.start + named;
  return new FieldValue(code, scores.number.numberedField, { ...field, start, end: start + code.length });
}

/** The groups after the first one: " 123 456" in "AB 123 456". */
const furtherGroups = /^(?:[ /](?=[\p{Lu}\d]*\d)[\p{Lu}\d]{1,10})+(?=\s|$|[,;)])/u;

function grouped({ segment, start, end }: TextSpan, confidence: number): FieldValue<string> {
  const more = furtherGroups.exec(segment.text.slice(end))?.[0].length ?? 0;
  return new FieldValue(segment.text.slice(start, end + more), confidence, { segment, start, end: end + more });
}
