import type { MailHead } from "../../document/document.ts";
import type { ExtractedItem, ExtractionContext } from "../../document/extraction-result.ts";
import { kilometresPerMile } from "../../entities/quantities.ts";
import { foldText } from "../../lexicon/fold.ts";
import type { PlaceValue, DocumentLocale } from "../../entities/entity.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import { findCodes } from "../../fields/labels/codes.ts";
import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import { isRequest } from "../../fields/route/request-test.ts";
import { lanesIn } from "../../fields/route/lanes.ts";
import { entitiesOfType, type Annotations } from "../../fields/labels/annotations.ts";
import { findCandidates, withSegments, type DocumentContext } from "../../fields/labels/values.ts";
import { withChecks } from "../checks.ts";
import { entityValue } from "../field-values.ts";
import { scores } from "./scores.ts";
import { missingFields, type OpportunityView } from "./view.ts";
import { checkOpportunity } from "./checks.ts";
import { requesterOf } from "./requester.ts";
import { requestedPayment } from "./payment.ts";
import { requirementsOf, standsAlone, withQuoteWords } from "./requirements.ts";
import { requestedRoute, laneBlocks, type RequestedStop } from "./route.ts";
import { analyseTransport, type TransportAnalysis } from "../transport.ts";

type OpportunityDraft = NonNullable<FieldValues<OpportunityView>>;

/**
 * Extracts requests for a quote, one for each lane that has its own rows. Empty if the document requests no transport.
 */
export function extractOpportunity(
  document: DocumentContext,
  locale: DocumentLocale,
  context: ExtractionContext,
  mail: MailHead | undefined,
): ExtractedItem<OpportunityView>[] {
  const whole = withQuoteWords(document, locale);
  const blocks = laneBlocks(whole);
  const parts = blocks ? blocks.map((wanted) => withSegments(whole, wanted)) : [whole];
  const lane = (part: DocumentContext) => {
    document.budget.check();
    return extractLane(part, locale, context, mail) ?? [];
  };
  const read = parts.flatMap(lane);
  return read.length > 0 || !blocks ? read : [lane(whole)].flat();
}

function extractLane(
  document: DocumentContext,
  locale: DocumentLocale,
  context: ExtractionContext,
  mail: MailHead | undefined,
): ExtractedItem<OpportunityView> | undefined {
  const analysis = analyseTransport(document, locale, context, mail);
  const route = requestedRoute(analysis, lanesIn(analysis.document));
  if (!isRequest(analysis.document, route, mail?.subject)) return undefined;
  const draft = draftOf(analysis, route, context, mail);
  const item = withChecks<OpportunityView>(draft, document, (data) => checkOpportunity(data, locale.today));
  const missing = missingIn(item.data);
  return { ...item, data: { ...item.data, ...(missing.length > 0 && { missing }) } };
}

function draftOf(
  analysis: TransportAnalysis,
  route: readonly RequestedStop[],
  { company }: ExtractionContext,
  mail: MailHead | undefined,
): OpportunityDraft {
  const { document } = analysis;
  const { requirements, goods } = requirementsOf(analysis);
  const number = numberOf(document);
  const distance = distanceOf(document);
  const comments = goods ?? remarksOf(document);
  const requester = requesterOf(analysis, route, company, mail);
  return {
    ...(number && { externalNumber: number }),
    locations: route.map((stop, at) => locationOf(document, stop, at + 1)),
    requirements,
    payment: requestedPayment(document),
    ...(distance && { totalDistance: distance }),
    ...(comments && { comments }),
    ...(requester && { requestedBy: requester }),
  };
}

type LocationDraft = NonNullable<OpportunityDraft["locations"]>[number];

function locationOf(
  document: DocumentContext,
  { kind, place, window, confidence }: RequestedStop,
  sequence: number,
): LocationDraft {
  const [start, end] = [
    window.start && dayOrTime(document.annotations, window.start),
    window.end && dayOrTime(document.annotations, window.end),
  ];
  const closes = end && end.value !== start?.value ? end : undefined;
  return {
    sequence: new FieldValue(sequence, confidence, undefined, "Computed"),
    type: new FieldValue(kind, confidence, undefined, "Computed"),
    ...(place && { address: addressOf(document, place, confidence) }),
    ...((start ?? closes) && { period: { ...(start && { startDate: start }), ...(closes && { endDate: closes }) } }),
  };
}

/** Languages that inflect the names of towns, as in "z Wrocławia" or "iš Kauno". */
const inflecting: ReadonlySet<string> = new Set([
  "pl",
  "cs",
  "sk",
  "lt",
  "lv",
  "et",
  "fi",
  "hu",
  "hr",
  "sl",
  "sr",
  "uk",
  "ru",
]);
const commonLetters = 3;

function townName(languages: readonly string[], { city, normalizedCity, postalCode }: PlaceValue): string | undefined {
  const isInflected =
    city !== undefined &&
    normalizedCity !== undefined &&
    postalCode === undefined &&
    inflecting.has(languages[0] ?? "") &&
    foldText(city).slice(0, commonLetters) === foldText(normalizedCity).slice(0, commonLetters);
  return isInflected ? normalizedCity : city;
}

function addressOf(
  { languages }: DocumentContext,
  located: NonNullable<RequestedStop["place"]>,
  confidence: number,
): NonNullable<LocationDraft["address"]> {
  const valueWith = <T>(value: T, source?: "Registry") => entityValue(value, located, confidence, source);
  const { country, postalCode, coordinates } = located.entity.value;
  const city = townName(languages, located.entity.value);
  return {
    ...(country && { countryCode: valueWith(country) }),
    ...(postalCode && { postalCode: valueWith(postalCode.replace(/^[A-Z]{1,2}[- ](?=\d)/u, "")) }),
    ...(city && { city: valueWith(city) }),
    ...(coordinates && {
      coordinates: {
        latitude: valueWith(coordinates.latitude, "Registry"),
        longitude: valueWith(coordinates.longitude, "Registry"),
      },
    }),
  };
}

function dayOrTime(annotations: Annotations, moment: FieldValue<string>): FieldValue<string> {
  const { span, value } = moment;
  const hasTime =
    span &&
    (annotations.entitiesIn[span.segment.index] ?? []).some(
      ({ type, start, end }) => type === "Time" && start === span.start && end === span.end,
    );
  return hasTime ? moment : moment.as(value.slice(0, 10));
}

function numberOf(document: DocumentContext): FieldValue<string> | undefined {
  const codes = findCodes(document, [
    "tenderNumber",
    "titleQuoteRequest",
    "orderNumber",
    "reference",
    "customerReference",
  ]);
  const best = codes.find(({ score, span }) => score >= scores.number.minLabelled && !isPlace(document, span));
  if (!best) return codeAlone(document);
  const { segment, start, end } = best.span;
  return new FieldValue(segment.text.slice(start, end), best.score, { segment, start, end });
}

function isPlace({ annotations }: DocumentContext, { segment, start, end }: TextSpan): boolean {
  return (annotations.entitiesIn[segment.index] ?? []).some(
    (entity) => entity.type === "Place" && entity.start < end && entity.end > start,
  );
}

/** Matches a code of letters and digits: "RDO-2025-77", "A-771". */
const lettered = /(?<![\p{L}\d@/.-])\p{Lu}{1,5}[-/](?=[\p{L}\d/-]*\d{2})[\p{L}\d]+(?:[-/][\p{L}\d]+)*(?![\p{L}\d@-])/gu;

/** Finds the only code of letters and digits that is no place, plate, tax number or the like. */
function codeAlone(document: DocumentContext): FieldValue<string> | undefined {
  const { layout, entitiesIn } = document.annotations;
  const found = layout.segments.flatMap((segment) =>
    [...segment.text.matchAll(lettered)].flatMap(({ 0: code, index: start }) => {
      const end = start + code.length;
      const other = (entitiesIn[segment.index] ?? []).some(
        ({ type, score, ...span }) =>
          type !== "Reference" && type !== "Plate" && score >= 0.4 && span.start < end && span.end > start,
      );
      return other || postal.test(code) ? [] : [new FieldValue(code, scores.number.alone, { segment, start, end })];
    }),
  );
  return new Set(found.map(({ value }) => value)).size === 1 ? found[0] : undefined;
}

const postal = /^\p{Lu}{1,2}-\d{4,6}$/u;

/** In kilometres or miles. Shorter distances are not those of a transport. */
const minDistance = 20;

function distanceOf(document: DocumentContext): FieldValue<number> | undefined {
  const isDistance = ({ unit, amount }: { unit: string; amount: number }) =>
    (unit === "km" || unit === "mi") && amount >= minDistance;
  const [named] = findCandidates(document, { concepts: ["distance"], types: ["Quantity"] }).filter(
    ({ entity, score }) => score >= scores.distance.minLabelled && isDistance(entity.value),
  );
  const all = entitiesOfType(document.annotations, "Quantity").filter(({ entity }) => isDistance(entity.value));
  const best = named ?? all.find((only) => all.length === 1 && standsAlone(only));
  if (!best) return undefined;
  const { amount, unit } = best.entity.value;
  const kilometres = unit === "mi" ? Math.round(amount * kilometresPerMile) : amount;
  return entityValue(kilometres, best, named ? named.score : scores.distance.unlabelled);
}

const maxRemarkLength = 1000;

function remarksOf({ annotations }: DocumentContext): FieldValue<string> | undefined {
  const label = annotations.labels.find(
    ({ standing, meanings }) => standing === "Head" && meanings.some(({ concept }) => concept === "remarks"),
  );
  const words = label?.segment.text.slice(label.end).replace(/^[\s:.–-]+/u, "");
  if (!label || !words || !/\p{L}{3}/u.test(words)) return undefined;
  const end = label.segment.text.length;
  return new FieldValue(words.slice(0, maxRemarkLength), scores.comments, {
    segment: label.segment,
    start: end - words.length,
    end,
  });
}

/** Returns the fields that a freight requires and this view does not have. */
export function missingIn(view: OpportunityView): OpportunityView["missing"] & object {
  const first = view.locations?.find(({ type }) => type === "Loading");
  const last = view.locations?.findLast(({ type }) => type === "Unloading");
  const values: Record<(typeof missingFields)[number], unknown> = {
    loadingPlace: first?.address,
    unloadingPlace: last?.address,
    loadingDate: first?.period,
    unloadingDate: last?.period,
    trailerType: view.requirements?.trailerTypes,
    weight: view.requirements?.capacity,
    price: view.payment?.from,
  };
  return missingFields.filter((field) => values[field] === undefined);
}
