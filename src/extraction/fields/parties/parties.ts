import type { MailHead } from "../../document/document.ts";
import type { CompanyFacts } from "../../document/extraction-result.ts";
import { typesThatAreNoNames } from "../../entities/entity.ts";
import { labelOf } from "../labels/line-label.ts";
import type { Address } from "../addresses/address.ts";
import { containsAnswer } from "../labels/answers.ts";
import { isClerkContact } from "./people.ts";
import { contactOf, fromGreeting, fromMail } from "./contacts.ts";
import { FieldValue } from "../confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import { isNamedAfter } from "./mailboxes.ts";
import { entitiesOfType, type Label, type Annotations } from "../labels/annotations.ts";
import { addressOf, nameOf, namesAnyParty, plain, type Block, type PartyDraft, type PartyRole } from "./party.ts";
import { valueAreasOf } from "../labels/value-areas.ts";
import { indexAt } from "../../layout/page-index.ts";
import { trimmedSpan } from "../../layout/text-span.ts";
import { openers, partyRoles, stopRoles, type Role, type Sections } from "../sections/roles.ts";
import { distance, type Head } from "../sections/sections.ts";
import { cleanedText } from "../route/stop-details.ts";
import { alike, hostOf, rulerOf, signedBySender } from "./senders.ts";
import { samePlace } from "../route/stops.ts";
import { taxNumberOf } from "./tax-numbers.ts";
import type { DocumentContext } from "../labels/values.ts";

/** The companies of the order, and their addresses. These addresses are not stops. */
export interface Parties {
  drafts: Partial<Record<PartyRole, PartyDraft>>;
  addresses: ReadonlySet<Address>;
}

/** Identifies the companies by headings, the account's own company data, letterhead and recipient. */
export function partiesIn(
  document: DocumentContext,
  sections: Sections,
  addresses: readonly Address[],
  company: CompanyFacts,
  mail: MailHead | undefined,
): Parties {
  const identified = [...labelled(document, sections, addresses), ...unlabelled(document, sections, addresses)];
  const blocks = identified.some(({ role }) => role === "Customer")
    ? identified
    : [...identified, ...taxed(document, sections, addresses, identified)];
  const chosen = distribute(signedBySender({ document, sections, addresses, company }, blocks), company);
  named(document, sections, chosen);
  calledByLabel(document, chosen);
  const own = new Set(blocks.flatMap((block) => block.address ?? []));
  const drafts: Parties["drafts"] = {};
  const claimed = new Set<string>();
  const hosts = hostsOf(document, chosen, mail, company);
  for (const block of chosen.values()) {
    const draft = draftOf(document, sections, block, [...chosen.values()], claimed, company, hosts);
    drafts[block.role] = draft;
    if (draft.vatCode) claimed.add(draft.vatCode.value);
  }
  fromMail(drafts, mail, company);
  keepApart(drafts);
  fromGreeting(document, drafts);
  return { drafts, addresses: withTwins(own, addresses) };
}

/**
 * Removes the name and phone number of the carrier's contact if they are also those of the customer's contact, because
 * a person belongs to one company only.
 */
function keepApart({ Customer, Carrier }: Parties["drafts"]): void {
  const [theirs, other] = [Customer?.contactPerson, Carrier?.contactPerson];
  if (!Carrier || !other?.name || other.name.value !== theirs?.name?.value) return;
  const { name: _, phone, ...rest } = other;
  const contactPerson = { ...rest, ...(phone && phone.value !== theirs.phone?.value && { phone }) };
  if (Object.keys(contactPerson).length > 0) Carrier.contactPerson = contactPerson;
  else delete Carrier.contactPerson;
}

function labelled(document: DocumentContext, sections: Sections, addresses: readonly Address[]): Block[] {
  return addresses.flatMap((address) => {
    const head = rulerOf(sections, address);
    if (!head || !partyRoles.has(head.role) || document.prose.has(address.place.segment)) return [];
    const far =
      head.label.segment.page === address.first.segment.page &&
      distance(head.label.segment, address.first.segment) > 20;
    return far ? [] : [{ role: head.role as PartyRole, address, confidence: 0.6 + 0.35 * head.weight }];
  });
}

/**
 * Identifies companies by addresses outside all sections. The letterhead belongs to the customer. The carrier is the
 * addressee or, if there is none, the company of a second address.
 */
function unlabelled(document: DocumentContext, sections: Sections, addresses: readonly Address[]): Block[] {
  if (!namesAnyParty(document)) return [];
  const free = addresses.filter(
    (address) =>
      address.place.entity.value.postalCode &&
      (address.street ?? (address.named || undefined)) &&
      !document.prose.has(address.place.segment) &&
      outsideSections(sections, address),
  );
  const addressed = free.find((address) => isAddressed(document.annotations, address.first.segment));
  const [first, ...others] = free.filter((address) => address !== addressed);
  if (addressed)
    return [
      ...(first ? [{ role: "Customer" as const, address: first, confidence: 0.6 }] : []),
      { role: "Carrier", address: addressed, confidence: 0.72 },
    ];
  if (!first) return [];
  const second = others.find(
    (address) => !samePlace(address, first) && address.first.segment.page === first.first.segment.page,
  );
  return [
    { role: "Customer", address: first, confidence: 0.6 },
    ...(second ? [{ role: "Carrier" as const, address: second, confidence: 0.55 }] : []),
  ];
}

/** Whether "To:" begins the segment or is to its left, as in "To: Hill Freight Ltd" above the stops. */
function isAddressed(annotations: Annotations, segment: Segment): boolean {
  const row = indexAt(annotations.layout, segment).rowOf(segment);
  const left = row[row.indexOf(segment) - 1];
  return (
    opensWithTo(annotations, segment) ||
    (left !== undefined && /^\p{L}+\s?:$/u.test(left.text) && opensWithTo(annotations, left))
  );
}

function opensWithTo({ labelsIn }: Annotations, { index, text }: Segment): boolean {
  return (labelsIn[index] ?? []).some(
    ({ standing, start, end, meanings }) =>
      standing === "Head" &&
      text.slice(0, start).trim() === "" &&
      /^\s*:/u.test(text.slice(end)) &&
      meanings.every(({ concept }) => concept === "unloading" || concept === "dateTo") &&
      meanings.some(({ concept, weight }) => concept === "unloading" && weight <= 0.4),
  );
}

/**
 * Finds the customer by an address on one line with a tax number, as in a signature or footer. Such an address is not a
 * stop.
 */
function taxed(
  { annotations }: DocumentContext,
  sections: Sections,
  addresses: readonly Address[],
  identified: readonly Block[],
): Block[] {
  const found = addresses.find((address) => {
    const { segment } = address.place;
    const head = rulerOf(sections, address);
    const headed = head?.label.segment === segment || (head && partyRoles.has(head.role));
    const row = indexAt(annotations.layout, segment).rowOf(segment);
    const numbered = entitiesOfType(annotations, "Vat", row).some(({ entity }) => entity.score >= 0.3);
    return numbered && !headed && address.named && !identified.some((block) => block.address === address);
  });
  return found ? [{ role: "Customer", address: found, confidence: 0.6 }] : [];
}

function outsideSections(sections: Sections, address: Address): boolean {
  const head = rulerOf(sections, address);
  if (!head || isSignature(head)) return true;
  const own = head.label.segment === address.place.segment;
  return (
    !own &&
    head.label.segment.page === address.first.segment.page &&
    distance(head.label.segment, address.first.segment) > 40
  );
}

function isSignature({ label }: Head<Role>): boolean {
  return label.meanings.some((each) => each.concept === "signature");
}

/**
 * Chooses the most certain block for each role. If an uncertain customer is the account's own company, it becomes the
 * carrier, and a previous carrier becomes the customer.
 */
function distribute(blocks: readonly Block[], company: CompanyFacts): Map<PartyRole, Block> {
  const chosen = new Map<PartyRole, Block>();
  const ours = blocks.find((block) => isOurs(block, company));
  for (const block of [...blocks].sort((a, b) => b.confidence - a.confidence)) {
    if (!chosen.has(block.role)) chosen.set(block.role, block);
  }
  const customer = chosen.get("Customer");
  if (ours && ours === customer && ours.confidence < 0.7) {
    chosen.delete("Customer");
    const other = blocks.find((block) => block.role === "Carrier" && block !== ours);
    chosen.set("Carrier", { ...ours, role: "Carrier" });
    if (other) chosen.set("Customer", { ...other, role: "Customer" });
  }
  return chosen;
}

function isOurs(block: Block, company: CompanyFacts): boolean {
  const name = block.address?.name?.text ?? block.name?.value ?? "";
  return company.names.some((known) => known && plain(name).includes(plain(known)));
}

const mostNameWords = 7;
const nameLike = /^["'„“]?\p{Lu}[\p{L}\p{N}&.,'’"„“” /+-]{2,60}$/u;

/** Identifies companies by the words after their label, even without legal form and address: "Carrier: Alfa Trans". */
function calledByLabel({ annotations, prose }: DocumentContext, chosen: Map<PartyRole, Block>): void {
  for (const label of annotations.labels) {
    const meant = label.meanings.find(
      ({ concept, weight }) => weight >= 0.6 && partyRoles.has(openers[concept] as Role),
    );
    const role = meant && (openers[meant.concept] as PartyRole);
    if (!role || chosen.has(role) || label.standing !== "Head" || prose.has(label.segment)) continue;
    const [area] = valueAreasOf(annotations, label);
    if (!area || area.order > 0 || area.crossed > 0 || (area.way !== "Same" && area.way !== "Right")) continue;
    const span = trimmedSpan(area.segment, area.start, area.end);
    const other = (annotations.entitiesIn[area.segment.index] ?? []).some(
      ({ type, score, start, end }) =>
        score >= 0.5 && typesThatAreNoNames.has(type) && start < span.end && end > span.start,
    );
    if (other || !nameLike.test(span.text) || /\d{3}/.test(span.text) || span.text.split(" ").length > mostNameWords)
      continue;
    chosen.set(role, { role, name: new FieldValue(cleanedText(span.text), 0.6, span), confidence: 0.7 });
  }
}

/** Identifies companies that are named without an address, after their label or outside all sections. */
function named(document: DocumentContext, sections: Sections, chosen: Map<PartyRole, Block>): void {
  for (const { segment, entity } of entitiesOfType(document.annotations, "Company")) {
    const numbered = labelOf(document.annotations, segment, entity.end)?.meanings.some(
      (each) => each.concept === "reference" || each.concept === "orderNumber",
    );
    if (entity.score < 0.4 || document.prose.has(segment) || numbered) continue;
    const head = sections.ruling(segment, entity.start);
    const near = head && (head.label.segment === segment || distance(head.label.segment, segment) < 6);
    const role = isAddressed(document.annotations, segment)
      ? "Carrier"
      : head && near && partyRoles.has(head.role)
        ? (head.role as PartyRole)
        : head && !isSignature(head)
          ? undefined
          : "Customer";
    if (!role) continue;
    const block = chosen.get(role);
    const name = new FieldValue(cleanedText(entity.value), 0.5 + 0.4 * entity.score, {
      segment,
      start: entity.start,
      end: entity.end,
    });
    if (!block) chosen.set(role, { role, name, confidence: head ? 0.8 : 0.6 });
    else if (!block.address?.name && ![...chosen.values()].some((other) => other.address?.name?.text === entity.value))
      block.name ??= name;
  }
}

function draftOf(
  document: DocumentContext,
  sections: Sections,
  block: Block,
  all: readonly Block[],
  claimed: ReadonlySet<string>,
  company: CompanyFacts,
  hosts: Hosts,
): PartyDraft {
  const ours = block.role === "Carrier" && isOurs(block, company);
  const owned = (segment: Segment, at: number) => ownerOf(document, sections, all, segment, at) === block.role;
  const printedUnderAnother = (segment: Segment, at: number) => {
    const owner = ownerOf(document, sections, all, segment, at);
    return owner !== undefined && owner !== block.role && all.some(({ role }) => role === owner);
  };
  const reached = (segment: Segment, at: number) => {
    const host = hostAt(document, segment, at);
    if (host && company.emailDomains.includes(host)) return ours || (block.role === "Carrier" && owned(segment, at));
    const role = host && hosts.get(host);
    return role ? role === block.role : owned(segment, at);
  };
  return {
    ...nameOf(block),
    ...taxNumberOf(document, block, owned, all, claimed, printedUnderAnother),
    ...addressOf(block),
    ...(block.role === "Payer" ? {} : contactOf(document, block, reached)),
  };
}

/** The party that uses each mail domain. */
type Hosts = ReadonlyMap<string, PartyRole>;

/**
 * Finds the party of each mail domain. A domain belongs to the company it is named after, wherever its mailboxes are
 * printed. If the domain of a mail's sender is not named after any company, it belongs to the customer.
 */
function hostsOf(
  { annotations }: DocumentContext,
  chosen: ReadonlyMap<PartyRole, Block>,
  mail: MailHead | undefined,
  { emailDomains }: CompanyFacts,
): Hosts {
  const hosts = new Map<string, PartyRole>();
  const names = [...chosen.values()].flatMap((block) => {
    const name = nameOf(block).name?.value;
    return name ? [{ role: block.role, name }] : [];
  });
  for (const { entity } of entitiesOfType(annotations, "Email")) {
    const host = hostOf(entity.value);
    const fitting = names.filter(({ name }) => isNamedAfter(host, name));
    if (fitting.length === 1 && fitting[0]) hosts.set(host, fitting[0].role);
  }
  const sender = hostOf(mail?.from?.address ?? "");
  if (sender && !emailDomains.includes(sender) && !hosts.has(sender)) hosts.set(sender, "Customer");
  return hosts;
}

function hostAt({ annotations }: DocumentContext, segment: Segment, at: number): string | undefined {
  const email = (annotations.entitiesIn[segment.index] ?? []).find(
    (entity) => entity.type === "Email" && entity.start <= at && entity.end > at,
  );
  return email?.type === "Email" ? hostOf(email.value) : undefined;
}

function ownerOf(
  document: DocumentContext,
  sections: Sections,
  all: readonly Block[],
  segment: Segment,
  at: number,
): PartyRole | undefined {
  const near = all
    .filter((block) => block.address && isUnder(block.address, segment))
    .sort(
      (a, b) =>
        distance((a.address as Address).first.segment, segment) -
        distance((b.address as Address).first.segment, segment),
    )[0];
  const label = labelOf(document.annotations, segment, at);
  if (isClerkContact(document.annotations, segment, at)) return "Customer";
  if (label && containsAnswer("yours", label.segment.text.slice(0, label.start + 8)) && tellsOfPerson(label))
    return "Carrier";
  const head = sections.ruling(segment, at);
  if (head?.role === "Payer" && label && tellsOfContact(label)) return "Customer";
  if (head && partyRoles.has(head.role)) return head.role as PartyRole;
  if (head?.role === "Contact") return ownerOfBox(sections, head);
  if (near) return near.role;
  if (head && !stopRoles.has(head.role) && label && tellsOfContact(label)) return "Customer";
  return head ? undefined : "Customer";
}

/** Returns the owner of a contact box: the customer, unless the box is directly below a company's own lines. */
function ownerOfBox({ partyRuling }: Sections, { label }: Head<Role>): PartyRole {
  const party = partyRuling(label.segment, label.start);
  const under =
    party &&
    Math.abs(party.label.segment.box.x0 - label.segment.box.x0) < 1.5 * label.segment.size &&
    distance(party.label.segment, label.segment) < 14;
  return under && partyRoles.has(party.role) && party.role !== "Payer" ? (party.role as PartyRole) : "Customer";
}

const tellsOfContact = ({ meanings }: Label): boolean => meanings.some(({ concept }) => concept === "contactPerson");

/**
 * Whether the label is for a contact, VAT number or phone number. After "your", as in "Your contact" or "Ihre
 * USt-IdNr.", its value belongs to the recipient of the order, who is the carrier.
 */
function tellsOfPerson(label: Label): boolean {
  return label.meanings.some(
    (each) => each.concept === "contactPerson" || each.concept === "vatNumber" || each.concept === "phone",
  );
}

function isUnder(address: Address, segment: Segment): boolean {
  const first = address.first.segment;
  return (
    first.page === segment.page &&
    segment.row >= first.row &&
    segment.row - first.row < 9 &&
    distance(first, segment) < 12
  );
}

function withTwins(own: ReadonlySet<Address>, all: readonly Address[]): Set<Address> {
  return new Set(
    all.filter(
      (address) => own.has(address) || [...own].some((other) => samePlace(other, address) && sameName(other, address)),
    ),
  );
}

const sameName = (a: Address, b: Address) => alike(a.name?.text ?? "", b.name?.text ?? "");
