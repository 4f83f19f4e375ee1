import type { MailHead } from "../../document/document.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import type { ExtractedItem, ExtractionContext } from "../../document/extraction-result.ts";
import type { EntityOf, EntityType, DocumentLocale, ScoredSpan } from "../../entities/entity.ts";
import { kilometresPerMile } from "../../entities/quantities.ts";
import { withChecks } from "../checks.ts";
import { classifyDocument } from "../classify.ts";
import { entityValue } from "../field-values.ts";
import { thresholds } from "../scores.ts";
import { checkOrder } from "./checks.ts";
import { findCodes } from "../../fields/labels/codes.ts";
import { weightFor, entitiesOfType, type LocatedEntity } from "../../fields/labels/annotations.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { invoiceMailbox } from "../../fields/parties/invoice-mailboxes.ts";
import { paymentsIn } from "../../fields/money/payments.ts";
import type { Route } from "../../fields/route/stops.ts";
import { trailersIn } from "../../fields/vehicles/trailers.ts";
import { assign, findCandidates, type FieldCandidate, type DocumentContext } from "../../fields/labels/values.ts";
import type { PartyDraft } from "../../fields/parties/party.ts";
import { vehiclesIn, type Vehicles } from "../../fields/vehicles/vehicles.ts";
import { locationsOf } from "./locations.ts";
import { orderNumberOf } from "./number.ts";
import type { OrderLabeller } from "./labeller/complete.ts";
import { papersIn } from "./papers.ts";
import { scores } from "./scores.ts";
import type { OrderView } from "./view.ts";
import { routedBySequence, analyseTransport, type OrderDraft, type TransportAnalysis } from "../transport.ts";
import { labelOf } from "../../fields/labels/line-label.ts";
import { completed } from "../../fields/route/windows.ts";
import { withShortDates } from "../../fields/short-dates.ts";
import type { Segment } from "../../layout/layout.ts";

interface SingleField {
  name: string;
  concepts: readonly ConceptId[];
  type: EntityType;
  min: number;
  put: (candidate: FieldCandidate) => Partial<OrderDraft>;
}

type ToValue = <T>(value: T) => FieldValue<T>;

function single<T extends EntityType>(
  name: keyof OrderDraft,
  type: T,
  concepts: readonly ConceptId[],
  min: number,
  put: (value: EntityOf<T>["value"], toValue: ToValue) => Partial<OrderDraft>,
): SingleField {
  return {
    name,
    type,
    concepts,
    min,
    put: (candidate) =>
      put(candidate.entity.value as EntityOf<T>["value"], (value) => entityValue(value, candidate, candidate.score)),
  };
}

const { minSingle } = scores;

const singleFields: readonly SingleField[] = [
  single("distance", "Quantity", ["distance"], minSingle.distance, (value, toValue) =>
    optional("distance", kilometres(value), toValue),
  ),
  single("emptyDistance", "Quantity", ["emptyDistance"], minSingle.distance, (value, toValue) =>
    optional("emptyDistance", kilometres(value), toValue),
  ),
  single("invoiceEmail", "Email", ["invoiceEmail", "payer"], minSingle.invoiceEmail, (value, toValue) => ({
    invoiceEmail: toValue(value),
  })),
  single("incoterms", "Incoterm", ["incoterms"], minSingle.incoterms, (value, toValue) => ({
    incoterms: toValue(value),
  })),
  single("cargoValue", "Amount", ["cargoValue"], minSingle.cargoValue, ({ amount, currency }, toValue) => ({
    cargoValue: { value: toValue(amount), ...(currency && { currency: toValue(currency) }) },
  })),
];

function kilometres({ amount, unit }: { amount: number; unit: string }): string | undefined {
  if (unit === "km") return String(amount);
  return unit === "mi" ? String(Math.round(amount * kilometresPerMile * 10) / 10) : undefined;
}

function optional(
  name: "distance" | "emptyDistance",
  value: string | undefined,
  toValue: ToValue,
): Partial<OrderDraft> {
  return value === undefined ? {} : { [name]: toValue(value) };
}

/** Extracts one transport order. Undefined if the document orders no transport. */
export function extractOrder(
  document: DocumentContext,
  locale: DocumentLocale,
  context: ExtractionContext,
  mail: MailHead | undefined,
  complete: OrderLabeller = (_, draft) => draft,
): ExtractedItem<OrderView> | undefined {
  const analysis = routedBySequence(analyseTransport(withShortDates(document, locale), locale, context, mail));
  if (!isOrder(analysis)) return undefined;
  const draft = complete(analysis, draftOf(analysis, mail));
  return withChecks<OrderView>(draft, document, (data) => checkOrder(data, context.today));
}

/**
 * Whether the document has stops, and looks like an order or a request for a quote, which differ in little. A consignment
 * note with several stops tells of a transport as well.
 */
function isOrder({ document, addresses, route: { stops } }: TransportAnalysis): boolean {
  if (addresses.length > mostAddresses && !tellsOfTransport(document)) return false;
  const placed = stops.filter(({ address }) => address).length;
  if (stops.length < 2 && placed === 0) return false;
  const { severalStops, oneStop } = scores.minLikelihood;
  const [minLikelihood, kinds] =
    placed > 1 ? [severalStops, ["order", "opportunity", "cmr"]] : [oneStop, ["order", "opportunity"]];
  const likely = classifyDocument(document).filter(({ kind }) => kinds.includes(kind));
  return likely.reduce((sum, { confidence }) => sum + confidence, 0) >= minLikelihood;
}

/** A document with more addresses is a list of places, unless it also tells when or what is carried, or the price. */
const mostAddresses = 120;

const tellsOfTransport = ({ annotations }: DocumentContext): boolean =>
  annotations.entitiesIn.some((entities) =>
    entities?.some(({ type, score }) => score >= thresholds.entity && transportTypes.has(type)),
  );

const transportTypes: ReadonlySet<EntityType> = new Set(["Date", "Quantity", "Amount"]);

function draftOf(analysis: TransportAnalysis, mail: MailHead | undefined): OrderDraft {
  const { document, parties, route } = analysis;
  const draft: OrderDraft = {};
  const number = orderNumberOf(document, route, mail?.subject);
  if (number) draft.orderNumber = number;
  const date = orderDateOf(analysis) ?? sentOn(mail);
  if (date) draft.orderDate = date;
  const reference = referencesOf(document, route, number?.value);
  if (reference) draft.referenceNumber = reference;
  const { Customer, Carrier, Payer } = parties.drafts;
  const { vehicles, trailers, drivers } = vehiclesIn(document);
  if (Customer) draft.customer = Customer;
  const carrier = Carrier && withoutContactsOf(drivers, Carrier);
  if (carrier || drivers.length > 0) draft.carrier = { ...carrier, ...(drivers.length > 0 && { drivers }) };
  if (Payer) draft.payer = Payer;
  draft.locations = locationsOf(analysis, number?.value);
  draft.payments = paymentsIn(document);
  draft.trailerTypes = trailersIn(document);
  draft.licensePlates = [...vehicles, ...trailers];
  draft.vehiclesLicensePlates = vehicles;
  draft.trailersLicensePlates = trailers;
  return { ...draft, ...singles(document), ...papersIn(document, draft) };
}

/** The day on which a mail was sent is the date of an order in the mail. */
function sentOn(mail: MailHead | undefined): FieldValue<string> | undefined {
  const day = mail?.day ?? mail?.date?.slice(0, 10);
  return mail?.date && day ? FieldValue.inMailHead(day, scores.date.ofMail, mail.date) : undefined;
}

/** The carrier's contact may have been read from the name and phone number of a driver. */
function withoutContactsOf(drivers: Vehicles["drivers"], carrier: PartyDraft): PartyDraft {
  const { contactPerson, ...rest } = carrier;
  const { name, phone, ...others } = contactPerson ?? {};
  const isDrivers = (value: FieldValue<string> | undefined, of: "name" | "phone") =>
    drivers.some((driver) => {
      const [one, other] = [driver[of]?.span, value?.span];
      return one !== undefined && one.segment === other?.segment && one.start === other.start;
    });
  const office = {
    ...others,
    ...(name && !isDrivers(name, "name") && { name }),
    ...(phone && !isDrivers(phone, "phone") && { phone }),
  };
  return Object.keys(office).length > 0 ? { ...rest, contactPerson: office } : rest;
}

/** Maximum number of characters between a label for invoices and the mail address after it. */
const maxGap = 40;

/** Finds the address in "Please send the invoice to x@…". */
function invoiceEmailInSentence({ annotations }: DocumentContext): Partial<OrderDraft> {
  for (const { segment, end, meanings } of annotations.labels) {
    if (!meanings.some(({ concept, weight }) => concept === "invoiceEmail" && weight >= thresholds.meaning)) continue;
    const email = entitiesOfType(annotations, "Email", [segment]).find(
      ({ entity }) => entity.start >= end && entity.start - end < maxGap,
    );
    if (email) return { invoiceEmail: entityValue(email.entity.value, email, scores.invoiceEmailInSentence) };
  }
  return {};
}

function singles(document: DocumentContext): Partial<OrderDraft> {
  const choices = singleFields.flatMap(({ name, concepts, type, min }) =>
    findCandidates(document, { concepts, types: [type] })
      .filter((candidate) => candidate.score >= min)
      .map((candidate) => ({ field: name, candidate })),
  );
  const chosen = assign(choices);
  const mailbox = invoiceMailbox(document);
  return Object.assign(
    mailbox ? { invoiceEmail: mailbox } : {},
    invoiceEmailInSentence(document),
    ...[...chosen].map(([name, candidate]) => singleFields.find((field) => field.name === name)?.put(candidate)),
  );
}

function referencesOf(
  document: DocumentContext,
  route: Route,
  orderNumber: string | undefined,
): FieldValue<string> | undefined {
  const outside = (segment: Parameters<Route["owner"]>[0], at: number) => route.owner(segment, at) === undefined;
  const codes = findCodes(
    document,
    ["customerReference", "reference", "bookingNumber", "tenderNumber"],
    outside,
  ).filter(
    ({ span, score, label }) =>
      score >= scores.reference.minLabelled && span.text !== orderNumber && label.standing !== "Loose",
  );
  const [first] = codes;
  if (!first) return undefined;
  const all = [...new Set(codes.map(({ span }) => span.text))];
  return new FieldValue(all.join(", "), first.score, first.span);
}

const general: ReadonlySet<ConceptId> = new Set(["date", "titleTransportOrder", "orderNumber", "orderDate", "place"]);
const headRows = 14;
const written: ReadonlySet<ConceptId> = new Set(["orderDate"]);

function orderDateOf({ document, route, locale }: TransportAnalysis): FieldValue<string> | undefined {
  const ownerless = ({ segment, entity }: LocatedEntity<"Date">) => !route.owner(segment, entity.start);
  const dated = findCandidates(document, { concepts: ["orderDate"], types: ["Date"] }).filter(
    ({ score }) => score >= scores.date.minLabelled,
  );
  const labelled =
    dated.find(({ label }) => weightFor(label, written) >= scores.date.minSureWord) ??
    findCandidates(document, { concepts: ["date"], types: ["Date"] }).find(
      (each) =>
        each.score >= scores.date.minGeneral &&
        each.entity.value.year !== undefined &&
        ownerless(each) &&
        !route.owner(each.label.segment, each.label.start),
    );
  if (labelled) return dateValue(labelled, labelled.score);
  const first = Math.min(
    ...route.stops.map(
      (stop) => stop.heads[0]?.label.segment.index ?? stop.address?.first.segment.index ?? Number.MAX_SAFE_INTEGER,
    ),
  );
  const isUnlabelledDate = (date: LocatedEntity<"Date">) =>
    date.entity.value.year !== undefined && date.entity.score >= scores.date.minUnlabelled && ownerless(date);
  const free = entitiesOfType(document.annotations, "Date").find(({ segment, entity }) => {
    const firstPage = document.annotations.layout.pages.find((page) => page.part === segment.part)?.number;
    if (segment.page !== firstPage || segment.row > headRows || !isUnlabelledDate({ segment, entity })) return false;
    const label = labelOf(document.annotations, segment, entity.start);
    return (
      (!label || label.meanings.some((each) => general.has(each.concept))) &&
      (segment.index < first || label !== undefined)
    );
  });
  if (free) return dateValue(free, scores.date.aboveStops);
  const foot = entitiesOfType(document.annotations, "Date").findLast(
    (date) => isUnlabelledDate(date) && isBesideSignature(document, date.segment, date.entity),
  );
  if (foot && dated.length === 0) return dateValue(foot, scores.date.atSignature);
  const [printed] = dated;
  return printed && dateValue(printed, printed.score);

  function dateValue(date: LocatedEntity<"Date">, confidence: number): FieldValue<string> {
    return entityValue(completed(date.entity.value, locale), date, confidence);
  }
}

/** A town and a date, as in "Szeged, 20.11.2026", stand beside the signature of a letter. */
function isBesideSignature(
  { prose }: TransportAnalysis["document"],
  segment: Segment,
  { start, end }: ScoredSpan,
): boolean {
  const [before, after] = [segment.text.slice(0, start), segment.text.slice(end)];
  return (
    !prose.has(segment) &&
    /^\p{Lu}[\p{L}\p{M} .-]{2,30},? (?:\p{Ll}{1,3} )?$/u.test(before) &&
    /^\W*\p{L}?\W*$/u.test(after)
  );
}
