import type { MailHead } from "../document.ts";
import type { Party } from "../kinds/order-view.ts";
import type { ConceptId } from "../know/concepts.ts";
import { fold } from "../know/fold.ts";
import type { CompanyFacts } from "../reading.ts";
import { says } from "./answers.ts";
import type { Address, Piece } from "./address.ts";
import { labelOf } from "./address.ts";
import { codesFor } from "./codes.ts";
import { Found, type Draft } from "./found.ts";
import { distance, type Head } from "./sections.ts";
import type { Segment } from "./layout.ts";
import { sightings, type Label, type Sighting } from "./marks.ts";
import { partyRoles, type Role, type Sections } from "./roles.ts";
import { samePlace } from "./stops.ts";
import { tidy } from "./stop-details.ts";
import type { Surroundings } from "./values.ts";
import { personAt } from "./vehicles.ts";

export type PartyRole = "Customer" | "Carrier" | "Payer";
export type PartyDraft = NonNullable<Draft<Party>>;

interface Block {
  role: PartyRole;
  address?: Address;
  name?: Found<string>;
  confidence: number;
}

/** The companies of the order and the addresses that are theirs and so no stops. */
export interface Parties {
  drafts: Partial<Record<PartyRole, PartyDraft>>;
  addresses: ReadonlySet<Address>;
}

/** Tells the companies apart: by their headings, by what is known of the reader's company, by letterhead and recipient. */
export function partiesIn(around: Surroundings, sections: Sections, addresses: readonly Address[], company: CompanyFacts, mail: MailHead | undefined): Parties {
  const blocks = [...labelled(around, sections, addresses), ...unlabelled(around, sections, addresses)];
  const chosen = distribute(blocks, company);
  named(around, sections, chosen);
  const own = new Set(blocks.flatMap((block) => block.address ?? []));
  const drafts: Parties["drafts"] = {};
  const claimed = new Set<string>();
  for (const block of chosen.values()) {
    const draft = draftOf(around, sections, block, [...chosen.values()], claimed);
    drafts[block.role] = draft;
    if (draft.vatCode) claimed.add(draft.vatCode.value);
  }
  fromMail(drafts, mail, company);
  return { drafts, addresses: withTwins(own, addresses) };
}

function labelled(around: Surroundings, sections: Sections, addresses: readonly Address[]): Block[] {
  return addresses.flatMap((address) => {
    const head = rulerOf(sections, address);
    if (!head || !partyRoles.has(head.role) || around.prose.has(address.place.segment)) return [];
    const far = head.label.segment.page === address.first.segment.page && distance(head.label.segment, address.first.segment) > 20;
    return far ? [] : [{ role: head.role as PartyRole, address, confidence: 0.6 + 0.35 * head.weight }];
  });
}

function rulerOf(sections: Sections, address: Address) {
  const { segment, entity } = address.place;
  const own = sections.ruling(segment, entity.start);
  return own?.label.segment === segment ? own : sections.ruling(address.first.segment, address.first.start);
}

/** Addresses above the first heading: the letterhead's is the sender's, a second one is the recipient's. */
function unlabelled(around: Surroundings, sections: Sections, addresses: readonly Address[]): Block[] {
  const free = addresses.filter((address) => address.place.entity.value.postalCode && (address.street ?? (address.named || undefined)) && !around.prose.has(address.place.segment) && outsideSections(sections, address));
  const [first, ...others] = free;
  if (!first) return [];
  const second = others.find((address) => !samePlace(address, first) && address.first.segment.page === first.first.segment.page);
  return [
    { role: "Customer", address: first, confidence: 0.6 },
    ...(second ? [{ role: "Carrier" as const, address: second, confidence: 0.55 }] : []),
  ];
}

function outsideSections(sections: Sections, address: Address): boolean {
  const head = rulerOf(sections, address);
  if (!head || isSignature(head)) return true;
  const own = head.label.segment === address.place.segment;
  return !own && head.label.segment.page === address.first.segment.page && distance(head.label.segment, address.first.segment) > 40;
}

function isSignature({ label }: Head<Role>): boolean {
  return label.meanings.some((each) => each.concept === "signature");
}

/** One block for each role; what is known of the reader's company outweighs the page. */
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

const plain = (text: string) => fold(text).text.replace(/[^\p{L}\p{N}]/gu, "");

/** Companies that are named without an address: behind their label, or at the top of the page. */
function named(around: Surroundings, sections: Sections, chosen: Map<PartyRole, Block>): void {
  for (const { segment, entity } of sightings(around.marks, "Company")) {
    const numbered = labelOf(around.marks, segment, entity.end)?.meanings.some((each) => each.concept === "reference" || each.concept === "orderNumber");
    if (entity.score < 0.4 || around.prose.has(segment) || numbered) continue;
    const head = sections.ruling(segment, entity.start);
    const near = head && (head.label.segment === segment || distance(head.label.segment, segment) < 6);
    const role = head && near && partyRoles.has(head.role) ? (head.role as PartyRole) : head && !isSignature(head) ? undefined : "Customer";
    if (!role) continue;
    const block = chosen.get(role);
    const name = new Found(tidy(entity.value), 0.5 + 0.4 * entity.score, { segment, start: entity.start, end: entity.end });
    if (!block) chosen.set(role, { role, name, confidence: head ? 0.8 : 0.6 });
    else if (!block.address?.name && ![...chosen.values()].some((other) => other.address?.name?.text === entity.value)) block.name ??= name;
  }
}

function draftOf(around: Surroundings, sections: Sections, block: Block, all: readonly Block[], claimed: ReadonlySet<string>): PartyDraft {
  const owned = (segment: Segment, at: number) => ownerOf(around, sections, all, segment, at) === block.role;
  return {
    ...nameOf(block),
    ...codeOf(around, block, owned, all, claimed),
    ...addressOf(block),
    ...(block.role === "Payer" ? {} : contactOf(around, block, owned)),
  };
}

function nameOf({ address, name, confidence }: Block): PartyDraft {
  if (address?.name && (address.named || !name)) return { name: new Found(tidy(address.name.text), confidence * (address.named ? 1 : 0.85), address.name) };
  return name ? { name } : {};
}

/** Postcode, town, street and country of a printed address. */
export function addressOf({ address, confidence }: Pick<Block, "address" | "confidence">): Pick<PartyDraft, "country" | "postalCode" | "city" | "street"> {
  if (!address) return {};
  const { segment, entity } = address.place;
  const found = (value: string) => new Found(value, confidence * (0.5 + entity.score / 2), { segment, start: entity.start, end: entity.end });
  const { country, postalCode, city } = entity.value;
  return {
    ...(country && { country: found(country) }),
    ...(postalCode && { postalCode: found(postalCode) }),
    ...(city && { city: found(city) }),
    ...(address.street && { street: new Found(tidy(address.street.text), confidence * 0.95, address.street) }),
  };
}

/** The party in whose part of the page a word stands. */
function ownerOf(around: Surroundings, sections: Sections, all: readonly Block[], segment: Segment, at: number): PartyRole | undefined {
  const near = all
    .filter((block) => block.address && isUnder(block.address, segment))
    .sort((a, b) => distance((a.address as Address).first.segment, segment) - distance((b.address as Address).first.segment, segment))[0];
  const label = labelOf(around.marks, segment, at);
  if (label && says("yours", label.segment.text.slice(0, label.start + 8)) && tellsOfPerson(label)) return "Carrier";
  const head = sections.ruling(segment, at);
  if (head && partyRoles.has(head.role)) return head.role as PartyRole;
  if (head?.role === "Contact") return ownerOfBox(sections, head);
  if (near) return near.role;
  return head ? undefined : "Customer";
}

/** A contact box is the customer's, unless it stands right under a company's own lines. */
function ownerOfBox({ partyRuling }: Sections, { label }: Head<Role>): PartyRole {
  const party = partyRuling(label.segment, label.start);
  const under = party && Math.abs(party.label.segment.box.x0 - label.segment.box.x0) < 1.5 * label.segment.size && distance(party.label.segment, label.segment) < 14;
  return under && partyRoles.has(party.role) ? (party.role as PartyRole) : "Customer";
}

/** "Your contact", "Ihre USt-IdNr.": the reader of the order is meant, the carrier. */
function tellsOfPerson(label: Label): boolean {
  return label.meanings.some((each) => each.concept === "contactPerson" || each.concept === "vatNumber" || each.concept === "phone");
}

function isUnder(address: Address, segment: Segment): boolean {
  const first = address.first.segment;
  return first.page === segment.page && segment.row >= first.row && segment.row - first.row < 9 && distance(first, segment) < 12;
}

const yours: ReadonlySet<ConceptId> = new Set(["carrier"]);

/** The tax number in the party's part of the page, else one of its country that nobody else claims. */
function codeOf(around: Surroundings, block: Block, owned: (segment: Segment, at: number) => boolean, all: readonly Block[], claimed: ReadonlySet<string>): Pick<PartyDraft, "vatCode"> {
  const own = labelledCode(around, block, owned);
  const seen = sightings(around.marks, "Vat").filter(({ entity, segment }) => entity.score >= 0.3 && !around.prose.has(segment) && !claimed.has(entity.value.code.replace(/\s/gu, "")));
  const country = block.address?.place.entity.value.country;
  const others = all.filter((other) => other !== block).flatMap((other) => other.address?.place.entity.value.country ?? []);
  const score = ({ segment, entity }: Sighting<"Vat">) => {
    const away = block.address ? distance(block.address.first.segment, segment) : Number.POSITIVE_INFINITY;
    const label = labelOf(around.marks, segment, entity.start);
    const says = label?.meanings.some((each) => yours.has(each.concept)) && block.role === "Carrier" ? 1 : 0;
    return (
      (owned(segment, entity.start) ? 2 : 0) +
      (country && entity.value.country === country ? 1.5 : 0) -
      (country && entity.value.country !== country && others.includes(entity.value.country) ? 2.5 : 0) +
      (away < 10 ? 1 : 0) +
      (sameLineAs(block, segment) ? 1 : 0) +
      (entity.value.checked ? 0.5 : 0) -
      (label?.meanings.some((each) => each.concept === "registrationNumber") ? 3 : 0) +
      says
    );
  };
  const best = seen.map((sighting) => ({ sighting, points: score(sighting) })).sort((a, b) => b.points - a.points)[0];
  if (!best || best.points < 1.5 || (own.vatCode && !owned(best.sighting.segment, best.sighting.entity.start))) return own;
  const { segment, entity } = best.sighting;
  return { vatCode: new Found(entity.value.code.replace(/\s/gu, ""), Math.min(0.97, 0.4 + 0.14 * best.points), { segment, start: entity.start, end: entity.end }) };
}

/** A number behind a tax label that has no known form: kept as printed, with the country's prefix where it has none. */
function labelledCode(around: Surroundings, block: Block, owned: (segment: Segment, at: number) => boolean): Pick<PartyDraft, "vatCode"> {
  const [code] = codesFor(around, ["vatNumber"], owned);
  const country = block.address?.place.entity.value.country ?? around.countries[0];
  const figures = code?.piece.text.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase() ?? "";
  if (!code || figures.replace(/\D/gu, "").length < 7) return {};
  return { vatCode: new Found(/^\p{L}{2}/u.test(figures) ? figures : `${country ?? ""}${figures}`, 0.6 * code.score, code.piece) };
}

/** The party's name stands again on the line or right above, as in a footer. */
function sameLineAs(block: Block, segment: Segment): boolean {
  const name = block.address?.name;
  return name !== undefined && segment.text.includes(name.text);
}

const outward: ReadonlySet<ConceptId> = new Set(["invoiceEmail", "requiredDocuments", "scansByEmail", "driver", "driverPhone", "fax", "penalties", "loadingContact", "unloadingContact"]);

const reachable: ReadonlySet<ConceptId> = new Set(["phone", "mobile", "contactPerson", "email"]);

function contactOf(around: Surroundings, block: Block, owned: (segment: Segment, at: number) => boolean): Pick<PartyDraft, "contactPerson"> {
  const mine = (type: "Phone" | "Email") =>
    sightings<"Phone" | "Email">(around.marks, type).find(({ segment, entity }) => {
      if (!owned(segment, entity.start) || around.prose.has(segment)) return false;
      const label = labelOf(around.marks, segment, entity.start);
      const called = label?.meanings.some((each) => reachable.has(each.concept)) ?? false;
      if (entity.score < (called ? 0.3 : 0.5)) return false;
      return !label?.meanings.some((each) => outward.has(each.concept) && each.weight > 0.5);
    });
  const [phone, email] = [mine("Phone"), mine("Email")];
  const named = personOf(around, owned);
  const guessed = named ? undefined : wordsAbove(around, email ?? phone);
  const name = named ?? guessed;
  const contactPerson = {
    ...(name && { name: new Found(name.text, (named ? 0.75 : guessedName) * block.confidence, name) }),
    ...(email && { email: printed(email, 0.85 * block.confidence) }),
    ...(phone && { phone: printed(phone, 0.85 * block.confidence) }),
  };
  return Object.keys(contactPerson).length > 0 ? { contactPerson } : {};
}

function printed({ segment, entity }: Sighting<"Phone" | "Email">, confidence: number): Found<string> {
  return new Found(segment.text.slice(entity.start, entity.end), confidence, { segment, start: entity.start, end: entity.end });
}

function personOf(around: Surroundings, owned: (segment: Segment, at: number) => boolean): Piece | undefined {
  for (const label of around.marks.labels) {
    const contact = label.meanings.some((each) => each.concept === "contactPerson" && each.weight >= 0.4);
    if (!contact || label.standing === "Loose" || !owned(label.segment, label.start)) continue;
    const person = personAt(around, label);
    if (person) return person;
  }
  return undefined;
}

const guessedName = 0.5;
const personName = /^\p{Lu}[\p{L}\p{M}'’-]+(?:\s\p{Lu}[\p{L}\p{M}'’.-]*){1,2}$/u;

/** Two or three capitalised words alone on the line above an e-mail address or a phone number. */
function wordsAbove(around: Surroundings, near: Sighting | undefined): Piece | undefined {
  if (!near) return undefined;
  const { segment } = near;
  const rows = around.marks.layout.pages[segment.page - 1]?.rows ?? [];
  const above = rows
    .flat()
    .filter((other) => other.row < segment.row && segment.row - other.row <= 3 && Math.abs(other.box.x0 - segment.box.x0) < segment.size)
    .reverse()
    .find((other) => personName.test(other.text) && !(around.marks.entitiesIn[other.index] ?? []).some((entity) => entity.type !== "Reference" && entity.score > 0.4));
  return above && { segment: above, start: 0, end: above.text.length, text: above.text };
}

/** A mail's sender is the customer's person and its reader the carrier's, unless the reader's own company forwards it. */
function fromMail(drafts: Parties["drafts"], mail: MailHead | undefined, { emailDomains }: CompanyFacts): void {
  const { from, to = [] } = mail ?? {};
  if (!from?.address || emailDomains.includes(domainOf(from.address))) return;
  introduce((drafts.Customer ??= {}), from);
  const [reader] = to;
  if (drafts.Carrier && reader?.address && domainOf(reader.address) !== domainOf(from.address)) introduce(drafts.Carrier, reader);
}

const domainOf = (address: string) => address.split("@")[1] ?? "";

function introduce(party: PartyDraft, { name, address }: { name?: string; address?: string }): void {
  const contact = (party.contactPerson ??= {});
  if (address) contact.email ??= new Found(address, 0.75);
  if (name && personName.test(name) && (contact.name?.confidence ?? 0) <= guessedName) contact.name = new Found(name, 0.7);
}

function withTwins(own: ReadonlySet<Address>, all: readonly Address[]): Set<Address> {
  return new Set(all.filter((address) => own.has(address) || [...own].some((other) => samePlace(other, address) && sameName(other, address))));
}

function sameName(a: Address, b: Address): boolean {
  const [one, other] = [plain(a.name?.text ?? ""), plain(b.name?.text ?? "")];
  return one !== "" && (one.includes(other) || other.includes(one));
}

