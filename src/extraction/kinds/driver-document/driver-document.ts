import type { MailHead } from "../../document/document.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import type { ExtractedItem, ExtractionContext } from "../../document/extraction-result.ts";
import { dayExists } from "../../entities/calendar.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { findMachineReadableZone, type MachineReadableZone } from "../../entities/mrz.ts";
import { findCodes } from "../../fields/labels/codes.ts";
import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import { textAfter } from "../../fields/labels/labelled-text.ts";
import type { Segment } from "../../layout/layout.ts";
import { entitiesOfType, type LocatedEntity } from "../../fields/labels/annotations.ts";
import { numbersIn } from "../../fields/labels/numbered.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import { cleanedText } from "../../fields/route/stop-details.ts";
import { findCandidates, type DocumentContext } from "../../fields/labels/values.ts";
import { completed } from "../../fields/route/windows.ts";
import { withWrappedLabels } from "../../fields/labels/wrapped-labels.ts";
import { withChecks } from "../checks.ts";
import type { DriverDocumentType, DriverDocumentView } from "./view.ts";
import { categoriesOf, numberedFields, type FieldNumber } from "./numbered-fields.ts";
import { checkDriverDocument } from "./checks.ts";
import { driverTypeOf, issuingCountryOf } from "./type.ts";

type PaperDraft = NonNullable<FieldValues<DriverDocumentView>>;

/** Extracts a document that drivers carry; undefined where the document is of another kind. */
export function extractDriverDocument(
  unprepared: DocumentContext,
  locale: DocumentLocale,
  { today }: ExtractionContext,
  _mail: MailHead | undefined,
): ExtractedItem<DriverDocumentView> | undefined {
  const document = withWrappedLabels(unprepared);
  const { segments } = document.annotations.layout;
  const zone = findMachineReadableZone(
    segments.map(({ text }) => text),
    today,
  );
  const type = typeOf(document, zone, segments);
  if (!type && !isPaper(document)) return undefined;
  const draft = draftOf(document, locale, type, zone && fromZone(zone, segments));
  return withChecks<DriverDocumentView>(draft, document, (data) => checkDriverDocument(data, zone));
}

const telling: ReadonlySet<ConceptId> = new Set([
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

function isPaper(document: DocumentContext): boolean {
  const labelled = new Set(
    document.annotations.labels.flatMap(({ standing, meanings }) =>
      standing === "Loose" ? [] : meanings.filter(({ concept }) => telling.has(concept)).map(({ concept }) => concept),
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
  const piece = zone && pieceOf(segments[zone.lines[0] ?? 0]);
  if (zone?.kind === "Passport") return new FieldValue<DriverDocumentType>("Passport", 0.97, piece);
  if (zone && /^[IAC]/u.test(zone.code) && titled?.value !== "ResidencePermit")
    return new FieldValue<DriverDocumentType>(
      zone.code === "IR" ? "ResidencePermit" : "IdentityCard",
      titled ? 0.95 : 0.85,
      piece,
    );
  return titled;
}

function pieceOf(segment: Segment | undefined): FieldValue<string>["span"] {
  return segment && { segment, start: 0, end: segment.text.length };
}

/** Values of the machine-readable zone. A value with a wrong check digit is taken from the text instead. */
function fromZone(zone: MachineReadableZone, segments: readonly Segment[]): PaperDraft {
  const right = (field: string) => zone.checks.some((check) => check.field === field && check.passed);
  const at = (line: number) => pieceOf(segments[zone.lines[line] ?? 0]);
  const [numberLine, daysLine, nameLine] = zone.lines.length === 3 ? [0, 1, 2] : [1, 1, 0];
  const name = [zone.givenNames, zone.surname].filter(Boolean).join(" ");
  return {
    ...(right("number") && { number: new FieldValue(zone.number, 0.97, at(numberLine)) }),
    ...(zone.country && { issuingCountry: new FieldValue(zone.country, 0.95, at(0)) }),
    ...(zone.expiresAt && right("expiresAt") && { expiresAt: new FieldValue(zone.expiresAt, 0.97, at(daysLine)) }),
    holder: {
      ...(name && { name: new FieldValue(name, 0.8, at(nameLine)) }),
      ...(zone.birthDate && right("birthDate") && { birthDate: new FieldValue(zone.birthDate, 0.97, at(daysLine)) }),
    },
  };
}

function draftOf(
  document: DocumentContext,
  locale: DocumentLocale,
  type: FieldValue<DriverDocumentType> | undefined,
  zone: PaperDraft | undefined,
): PaperDraft {
  const fields = numberedFields(document);
  const numbered = type?.value === "Adr" ? new Map<FieldNumber, TextSpan>() : fields;
  const day = (number: FieldNumber, concepts: readonly ConceptId[]) =>
    dateIn(document, locale, numbered.get(number)) ?? dateBehind(document, locale, concepts);
  const number = zone?.number ?? numberOf(document, numbered, type?.value);
  const country = zone?.issuingCountry ?? issuingCountryOf(document);
  const expiresAt = zone?.expiresAt ?? day("4b", ["expiresOn", "validTo", "dateTo", "dueDate", "insurancePeriod"]);
  const issuedAt = day("4a", ["issuedOn", "orderDate", "invoiceDate", "loadingDate", "validFrom", "dateFrom"]);
  const name = nameOf(document, numbered) ?? zone?.holder?.name;
  const birthDate = zone?.holder?.birthDate ?? day("3", ["birthDate"]);
  const categories = categoriesOf(document, type?.value, fields);
  return {
    type: type ?? new FieldValue<DriverDocumentType>("Other", 0.4, undefined, "Computed"),
    ...(number && { number }),
    ...(country && { issuingCountry: country }),
    ...(issuedAt && issuedAt.value !== expiresAt?.value && issuedAt.value !== birthDate?.value && { issuedAt }),
    ...(expiresAt && { expiresAt }),
    categories,
    holder: { ...(name && { name }), ...(birthDate && { birthDate }) },
  };
}

function dateIn(
  document: DocumentContext,
  locale: DocumentLocale,
  piece: TextSpan | undefined,
): FieldValue<string> | undefined {
  if (!piece) return undefined;
  const date = entitiesOfType(document.annotations, "Date", [piece.segment]).find(
    ({ entity }) => entity.start >= piece.start - 1 && entity.start < piece.end,
  );
  if (date) return dayFound(date, 0.93, locale);
  const figures = /(?<!\d)(\d{1,2})[./-](\d{1,2})[./-](\d{4})(?!\d)/u.exec(piece.text);
  if (!figures) return undefined;
  const [day = "", month = "", year = ""] = figures.slice(1);
  if (!dayExists({ year: Number(year), month: Number(month), day: Number(day) })) return undefined;
  const start = piece.start + figures.index;
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return new FieldValue(iso, 0.85, { segment: piece.segment, start, end: start + figures[0].length });
}

function dateBehind(
  document: DocumentContext,
  locale: DocumentLocale,
  concepts: readonly ConceptId[],
): FieldValue<string> | undefined {
  const best = findCandidates(document, { concepts, types: ["Date"] }).find(
    ({ score, entity }) => score >= 0.25 && entity.value.year !== undefined,
  );
  return best && dayFound(best, best.score, locale);
}

function dayFound(
  { segment, entity }: LocatedEntity<"Date">,
  confidence: number,
  locale: DocumentLocale,
): FieldValue<string> {
  return new FieldValue(completed(entity.value, locale), confidence, { segment, start: entity.start, end: entity.end });
}

const numbersOf: Partial<Record<DriverDocumentType, readonly FieldNumber[]>> = {
  DriverCard: ["5b"],
  Code95: ["5b", "5"],
  DrivingLicence: ["5"],
};

/** The document number: its numbered field, its label, or a number beside the title. */
function numberOf(
  document: DocumentContext,
  fields: ReadonlyMap<FieldNumber, TextSpan>,
  type: DriverDocumentType | undefined,
): FieldValue<string> | undefined {
  const [piece] = (numbersOf[type ?? "Other"] ?? ["5"]).flatMap((number) => fields.get(number) ?? []);
  if (piece && /\d/u.test(piece.text)) return codeIn(piece, 0.93);
  const [labelled] = findCodes(document, ["documentNumber", "policyNumber"]).filter(({ score }) => score >= 0.3);
  if (labelled) return grouped(labelled.span, labelled.score);
  for (const segment of document.annotations.layout.segments) {
    const [number] = document.prose.has(segment) || segment.page > 1 ? [] : numbersIn(segment.text);
    if (number && number.text.replace(/\D/gu, "").length >= 3)
      return new FieldValue(number.text, 0.6, { segment, ...number });
  }
  const [other] = findCodes(document, ["orderNumber", "reference", "cardNumber", "registrationNumber"]).filter(
    ({ score }) => score >= 0.4,
  );
  return other && grouped(other.span, other.score * 0.8);
}

function codeIn(piece: TextSpan, confidence: number): FieldValue<string> {
  const words = piece.text.split(/\s+(?=\p{Ll}{2})/u)[0] ?? piece.text;
  return new FieldValue(words, confidence, { ...piece, end: piece.start + words.length });
}

const goesOn = /^(?:[ /](?=[\p{Lu}\d]*\d)[\p{Lu}\d]{1,10})+(?=\s|$|[,;)])/u;

function grouped(piece: TextSpan, confidence: number): FieldValue<string> {
  const more = goesOn.exec(piece.segment.text.slice(piece.end))?.[0].length ?? 0;
  return new FieldValue(piece.segment.text.slice(piece.start, piece.end + more), confidence, {
    ...piece,
    end: piece.end + more,
  });
}

const nameLike = /^(?:\p{Ll}{1,4}[ '’])*\p{Lu}[\p{L}'’ .-]+$/u;
const isName = (text: string): boolean => nameLike.test(text) && text.length < 60;

/** Given names before the surname, in any printed order. */
function nameOf(document: DocumentContext, fields: ReadonlyMap<FieldNumber, TextSpan>): FieldValue<string> | undefined {
  const [one, other] = [fields.get("1"), fields.get("2")];
  if (one && other && isName(one.text) && isName(other.text))
    return new FieldValue(`${cleanedText(other.text)} ${cleanedText(one.text)}`, 0.9, one);
  const surname =
    textAfter(document, ["surname"], { fits: isName, least: 0.3 }) ??
    textAfter(document, ["companyName"], { fits: isName, least: 0.3 });
  const givenName =
    textAfter(document, ["givenNames"], { fits: isName, least: 0.3 }) ??
    (surname &&
      textAfter(document, ["companyName"], { fits: (text) => isName(text) && text !== surname.value, least: 0.3 }));
  if (surname && givenName && surname.value !== givenName.value)
    return new FieldValue(
      `${givenName.value} ${surname.value}`,
      Math.min(surname.confidence, givenName.confidence),
      surname.span,
    );
  return textAfter(document, ["holderName", "driver", "companyName", "contactPerson"], {
    fits: (text) => isName(text) && text.includes(" "),
    least: 0.3,
  });
}
