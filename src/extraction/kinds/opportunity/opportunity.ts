import type { MailHead } from "../../document/document.ts";
import type { CompanyFacts, ExtractedItem, ExtractionContext } from "../../document/extraction-result.ts";
import { kilometresPerMile } from "../../entities/quantities.ts";
import { foldText } from "../../lexicon/fold.ts";
import { haveSameVatCode } from "../../lexicon/vat-codes.ts";
import type { PlaceValue, DocumentLocale } from "../../entities/entity.ts";
import { findCodes, type Code } from "../../fields/labels/codes.ts";
import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import { isRequest } from "../../fields/route/request-test.ts";
import { lanesIn } from "../../fields/route/lanes.ts";
import { entitiesOfType, type Annotations } from "../../fields/labels/annotations.ts";
import { findCandidates, withSegments, type DocumentContext } from "../../fields/labels/values.ts";
import type { Parties } from "../../fields/parties/parties.ts";
import { plain, type PartyDraft } from "../../fields/parties/party.ts";
import { withChecks } from "../checks.ts";
import { missingFields, type OpportunityView } from "./view.ts";
import { checkOpportunity } from "./checks.ts";
import { requestedPayment, requirementsOf, standsAlone, withQuoteWords } from "./requirements.ts";
import { requestedRoute, laneBlocks, type RequestedStop } from "./route.ts";
import { analyseTransport, type TransportAnalysis } from "../transport.ts";

type OpportunityDraft = NonNullable<FieldValues<OpportunityView>>;

/**
 * Extracts requests for a quote, one for each lane with rows of its own; empty where the document asks for no transport.
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
    return readLane(part, locale, context, mail) ?? [];
  };
  const read = parts.flatMap(lane);
  return read.length > 0 || !blocks ? read : [lane(whole)].flat();
}

function readLane(
  document: DocumentContext,
  locale: DocumentLocale,
  context: ExtractionContext,
  mail: MailHead | undefined,
): ExtractedItem<OpportunityView> | undefined {
  const understanding = analyseTransport(document, locale, context, mail);
  const route = requestedRoute(understanding, lanesIn(understanding.document));
  if (!isRequest(understanding.document, route, mail?.subject)) return undefined;
  const draft = draftOf(understanding, route, context, mail);
  const reading = withChecks<OpportunityView>(draft, document, (data) => checkOpportunity(data, locale.today));
  const missing = missingIn(reading.data);
  return { ...reading, data: { ...reading.data, ...(missing.length > 0 && { missing }) } };
}

function draftOf(
  understanding: TransportAnalysis,
  route: readonly RequestedStop[],
  { company }: ExtractionContext,
  mail: MailHead | undefined,
): OpportunityDraft {
  const { document, parties } = understanding;
  const { requirements, goods } = requirementsOf(understanding);
  const number = numberOf(document);
  const distance = distanceOf(document);
  const comments = goods ?? remarksOf(document);
  const asker = askerOf(parties, route, company, mail);
  return {
    ...(number && { externalNumber: number }),
    locations: route.map((stop, at) => locationOf(document, stop, at + 1)),
    requirements,
    payment: requestedPayment(document),
    ...(distance && { totalDistance: distance }),
    ...(comments && { comments }),
    ...(asker && { requestedBy: asker }),
  };
}

type LocationDraft = NonNullable<OpportunityDraft["locations"]>[number];

function locationOf(
  document: DocumentContext,
  { kind, place, window, confidence }: RequestedStop,
  sequence: number,
): LocationDraft {
  const [start, end] = [
    window.start && dayOrHour(document.annotations, window.start),
    window.end && dayOrHour(document.annotations, window.end),
  ];
  const closes = end && end.value !== start?.value ? end : undefined;
  return {
    sequence: new FieldValue(sequence, confidence, undefined, "Computed"),
    type: new FieldValue(kind, confidence, undefined, "Computed"),
    ...(place && { address: addressOf(document, place, confidence) }),
    ...((start ?? closes) && { period: { ...(start && { startDate: start }), ...(closes && { endDate: closes }) } }),
  };
}

/** Languages whose towns have endings: "z Wrocławia", "iš Kauno". */
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
  "uk",
  "ru",
]);
const commonLetters = 3;

/** The town as it is called by itself, where the sentence bends its name. */
function townName(languages: readonly string[], { city, normalizedCity, postalCode }: PlaceValue): string | undefined {
  const bent =
    city !== undefined &&
    normalizedCity !== undefined &&
    postalCode === undefined &&
    inflecting.has(languages[0] ?? "") &&
    foldText(city).slice(0, commonLetters) === foldText(normalizedCity).slice(0, commonLetters);
  return bent ? normalizedCity : city;
}

function addressOf(
  { languages }: DocumentContext,
  { segment, entity }: NonNullable<RequestedStop["place"]>,
  confidence: number,
): NonNullable<LocationDraft["address"]> {
  const piece = { segment, start: entity.start, end: entity.end };
  const valueWith = <T>(value: T, source?: "Registry") => new FieldValue(value, confidence, piece, source);
  const { country, postalCode, coordinates } = entity.value;
  const city = townName(languages, entity.value);
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

/** A moment is printed as a day alone where it was read from a day and no hour. */
function dayOrHour(marks: Annotations, moment: FieldValue<string>): FieldValue<string> {
  const { span: piece, value } = moment;
  const hour =
    piece &&
    (marks.entitiesIn[piece.segment.index] ?? []).some(
      ({ type, start, end }) => type === "Time" && start === piece.start && end === piece.end,
    );
  return hour ? moment : moment.as(value.slice(0, 10));
}

const minNumberScore = 0.35;

/** The asker's number of the request, wherever it is printed. */
function numberOf(document: DocumentContext): FieldValue<string> | undefined {
  const codes = findCodes(document, [
    "tenderNumber",
    "titleQuoteRequest",
    "orderNumber",
    "reference",
    "customerReference",
  ]);
  const best = codes.find(({ score }) => score >= minNumberScore);
  if (!best) return undefined;
  const { span: piece, label, score } = best;
  const { segment, start, end } = withAbbreviation(piece, label);
  return new FieldValue(segment.text.slice(start, end), score, { segment, start, end });
}

/** "RFQ 88214": capitals right before the figures are a part of the number. */
function withAbbreviation(piece: Code["span"], { segment, start, end }: Code["label"]): Code["span"] {
  const own = segment === piece.segment && /^\p{Lu}{2,5}$/u.test(segment.text.slice(start, end));
  return own && segment.text.slice(end, piece.start) === " " ? { ...piece, start } : piece;
}

const minDistance = 20;

function distanceOf(document: DocumentContext): FieldValue<number> | undefined {
  const isWay = ({ unit, amount }: { unit: string; amount: number }) =>
    (unit === "km" || unit === "mi") && amount >= minDistance;
  const [named] = findCandidates(document, { concepts: ["distance"], types: ["Quantity"] }).filter(
    ({ entity, score }) => score >= 0.3 && isWay(entity.value),
  );
  const all = entitiesOfType(document.annotations, "Quantity").filter(({ entity }) => isWay(entity.value));
  const best = named ?? all.find((only) => all.length === 1 && standsAlone(only));
  if (!best) return undefined;
  const { amount, unit } = best.entity.value;
  const kilometres = unit === "mi" ? Math.round(amount * kilometresPerMile) : amount;
  const { segment, entity } = best;
  return new FieldValue(kilometres, named ? named.score : 0.5, { segment, start: entity.start, end: entity.end });
}

const maxRemarkLength = 1000;

function remarksOf({ annotations: marks }: DocumentContext): FieldValue<string> | undefined {
  const label = marks.labels.find(
    ({ standing, meanings }) => standing === "Head" && meanings.some(({ concept }) => concept === "remarks"),
  );
  const words = label?.segment.text.slice(label.end).replace(/^[\s:.–-]+/u, "");
  if (!label || !words || !/\p{L}{3}/u.test(words)) return undefined;
  const end = label.segment.text.length;
  return new FieldValue(words.slice(0, maxRemarkLength), 0.6, {
    segment: label.segment,
    start: end - words.length,
    end,
  });
}

/** Who asks: the company that is not the reader's, or the mail's sender. */
function askerOf(
  { drafts }: Parties,
  route: readonly RequestedStop[],
  company: CompanyFacts,
  mail: MailHead | undefined,
): PartyDraft | undefined {
  const named = [drafts.Customer, drafts.Payer].find(
    (party) => party && !isReader(party, company) && !livesOnRoute(party, route),
  );
  if (named) return named;
  const { name, address } = mail?.from ?? {};
  if (!name && !address) return undefined;
  const contactPerson = {
    ...(name && { name: FieldValue.inMailHead(name, 0.7) }),
    ...(address && { email: FieldValue.inMailHead(address, 0.75) }),
  };
  return { contactPerson };
}

/** A place that goods are fetched from or brought to, taken for somebody's address. */
function livesOnRoute({ postalCode, city }: PartyDraft, route: readonly RequestedStop[]): boolean {
  const piece = (postalCode ?? city)?.span;
  return route.some(
    ({ place }) => place !== undefined && place.segment === piece?.segment && place.entity.start === piece.start,
  );
}

function isReader(party: PartyDraft, { names, vatCodes, emailDomains }: CompanyFacts): boolean {
  const name = plain(party.name?.value ?? "");
  const domain = party.contactPerson?.email?.value.split("@")[1]?.toLowerCase();
  return (
    (name !== "" && names.some((companyName) => companyName && name.includes(plain(companyName)))) ||
    vatCodes.some((own) => haveSameVatCode(own, party.vatCode?.value)) ||
    (domain !== undefined && emailDomains.includes(domain))
  );
}

/** What a freight needs and this view does not give. */
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
