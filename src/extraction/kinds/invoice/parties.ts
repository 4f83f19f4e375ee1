import type { ConceptId } from "../../lexicon/concepts.ts";
import { addressesOf, type Address } from "../../fields/addresses/address.ts";
import { containsAnswer } from "../../fields/labels/answers.ts";
import { contactOf } from "../../fields/parties/contacts.ts";
import { horizontalOverlap } from "../../document/geometry.ts";
import type { Owned, Segment } from "../../layout/layout.ts";
import { entitiesOfType, type Label } from "../../fields/labels/annotations.ts";
import { addressOf, nameOf, plain, type Block as PartyBlock, type PartyDraft } from "../../fields/parties/party.ts";
import { distance, ruledBy, type Head } from "../../fields/sections/sections.ts";
import { taxNumberOf } from "../../fields/parties/tax-numbers.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import type { CompanyFacts } from "../../document/extraction-result.ts";
import { addresseesIn, companyName, letterheadIn, nameBeside } from "./party-names.ts";
import { selfBilledIn } from "./invoice-kind.ts";
import { scores } from "./scores.ts";

type Role = "Seller" | "Buyer" | "Other" | "End";
type Side = "Seller" | "Buyer";
type Block = PartyBlock<Side>;

export interface InvoiceParties {
  seller?: PartyDraft;
  buyer?: PartyDraft;
}

/** The most reliable headings come first. */
const roles: readonly (readonly [Role, readonly ConceptId[]])[] = [
  ["Seller", ["seller"]],
  ["Buyer", ["buyer"]],
  ["Buyer", ["customer", "payer"]],
  ["Seller", ["carrier"]],
  ["Other", ["consignee", "shipper", "loading", "loadingPlace", "unloading", "unloadingPlace", "stop", "customs"]],
  ["End", ["lineDescription", "signature", "terms", "remarks", "driver", "vehicle", "truckPlate"]],
  ["End", ["invoiceNumber", "invoiceDate", "orderDate", "dueDate", "saleDate", "paymentTerm", "orderNumber"]],
];
const narrow: ReadonlySet<ConceptId> = new Set([
  "invoiceNumber",
  "invoiceDate",
  "orderDate",
  "dueDate",
  "saleDate",
  "paymentTerm",
  "orderNumber",
]);
/** Concepts whose label is certainly a heading if it is alone on its line. */
const ownRoles: ReadonlySet<ConceptId> = new Set(["seller", "buyer"]);

/**
 * Finds seller and buyer by their headings, otherwise by features that are typical of letterheads and address windows.
 */
export function invoiceParties(document: DocumentContext, company: CompanyFacts): InvoiceParties {
  const addresses = addressesOf(document.annotations, document.countries).filter(
    ({ place, street, named }) =>
      !document.prose.has(place.segment) &&
      (place.entity.value.postalCode !== undefined || street !== undefined || named),
  );
  const read = document.annotations.labels.flatMap((label) => headOf(document, label) ?? []);
  const toReader = addressed(document, read);
  const labelled = read.filter(
    (head) => isSure(head) || !toReader.some(({ label }) => label.segment === head.label.segment),
  );
  const heads = [...labelled, ...toReader];
  const ruling = ruledBy(heads);
  const roleAt = (address: Address): Head<Role> | undefined => {
    const own = ruling(address.place.segment, address.place.entity.start);
    const head =
      own?.label.segment === address.place.segment ? own : ruling(address.first.segment, address.first.start);
    return head && isNear(head, address) ? head : undefined;
  };
  const { underHeading } = scores.party;
  const chosen = new Map<Side, Block>();
  const take = (role: Side, address: Address, confidence: number) => {
    if (confidence > (chosen.get(role)?.confidence ?? 0)) chosen.set(role, { role, address, confidence });
  };
  for (const address of addresses) {
    const head = roleAt(address);
    if (head?.role === "Seller" || head?.role === "Buyer")
      take(head.role, address, underHeading.base + underHeading.perWeight * head.weight);
  }
  namedOnly(document, ruling, chosen);
  const hasBuyer = heads.some((head) => head.role === "Buyer" && isSure(head));
  const received =
    chosen.has("Buyer") || hasBuyer ? undefined : addresses.find((address) => isConsignee(roleAt(address)));
  if (received && ![...chosen.values()].some((block) => isSame(block, received)))
    take("Buyer", received, scores.party.consignee);
  const free = addresses.filter((address) => {
    const head = roleAt(address);
    return (!head || head.role === "End") && ![...chosen.values()].some((block) => isSame(block, address));
  });
  addByLikeness(document, company, chosen, free);
  nameAll(document, heads, chosen);
  const blocks = [...chosen.values()];
  const named = addresses.some((address) => {
    const head = roleAt(address);
    return (
      head !== undefined && head.label.index >= 0 && isSure(head) && (head.role === "Seller" || head.role === "Buyer")
    );
  });
  const writer: Side = !named && selfBilledIn(document) ? "Buyer" : "Seller";
  return draftsOf(document, ruling, writer === "Seller" ? blocks : blocks.map(turned), writer);
}

const isSure = ({ weight }: Head<Role>): boolean => weight >= scores.heading.sure;

const otherSide = (side: Side): Side => (side === "Seller" ? "Buyer" : "Seller");
const turned = (block: Block): Block => ({ ...block, role: otherSide(block.role) });

/** The addressee ("To:") is the buyer if no heading names the buyer. */
function addressed(document: DocumentContext, labelled: readonly Head<Role>[]): Head<Role>[] {
  const named = labelled.some(
    (head) => head.role === "Buyer" && isSure(head) && head.label.meanings.some(({ concept }) => concept === "buyer"),
  );
  if (named) return [];
  return addresseesIn(document)
    .filter((label) => !labelled.some((head) => head.label.segment === label.segment && head.role === "Other"))
    .map((label) => ({ role: "Buyer", label, weight: scores.heading.addressee, narrow: false }));
}

function nameAll(document: DocumentContext, heads: readonly Head<Role>[], chosen: Map<Side, Block>): void {
  for (const side of ["Seller", "Buyer"] as const) {
    const block = chosen.get(side);
    if (block?.name || block?.address?.named) continue;
    const own = heads.filter((head) => head.role === side && isSure(head));
    const name = own.flatMap(({ label }) => nameBeside(document, label) ?? [])[0];
    if (name && block) block.name = name;
    else if (name) chosen.set(side, { role: side, name, confidence: scores.party.nameBesideHeading });
  }
  const seller = chosen.get("Seller");
  if (seller && (seller.name ?? seller.address?.name)) return;
  const taken = [...chosen.values()].flatMap(
    ({ name, address }) => plain(name?.value ?? address?.name?.text ?? "") || [],
  );
  const letterhead = letterheadIn(document, taken, ({ segment, entity }) =>
    heads.every(({ role, label }) => role === "Seller" || label.segment !== segment || label.end > entity.start),
  );
  if (letterhead && seller) seller.name = letterhead;
  else if (letterhead) chosen.set("Seller", { role: "Seller", name: letterhead, confidence: scores.party.letterhead });
}

function headOf(document: DocumentContext, label: Label): Head<Role> | undefined {
  const { standing, inProse, min } = scores.heading;
  for (const [role, concepts] of roles) {
    const meaning = label.meanings.find((each) => concepts.includes(each.concept));
    if (!meaning) continue;
    const isInProse = document.prose.has(label.segment) && label.standing !== "Head";
    const factor = standing[label.standing] * (isInProse ? inProse : 1);
    const plain = label.standing === "Head" && ownRoles.has(meaning.concept) ? 1 : meaning.weight;
    const weight = role === "Other" && inStreet(document, label) ? 0 : plain * factor;
    return weight >= min ? { role, label, weight, narrow: narrow.has(meaning.concept) } : undefined;
  }
  return undefined;
}

/** "Route" in "Route de Semur" is part of a street, and not the heading of a stop. */
function inStreet({ annotations }: DocumentContext, { segment, start, end }: Label): boolean {
  return (annotations.entitiesIn[segment.index] ?? []).some(
    (entity) =>
      entity.type === "Street" &&
      entity.score >= scores.heading.street.min &&
      entity.start <= start &&
      entity.end > end,
  );
}

/** The consignee pays if no heading names a buyer. */
function isConsignee(head: Head<Role> | undefined): boolean {
  return head?.role === "Other" && head.label.meanings.some(({ concept }) => concept === "consignee");
}

function isNear({ label }: Head<Role>, { first }: Address): boolean {
  return label.segment.page !== first.segment.page || distance(label.segment, first.segment) <= 14;
}

function isSame(block: Block, address: Address): boolean {
  const own = block.address;
  const [name, other] = [plain(block.name?.value ?? own?.name?.text ?? ""), plain(address.name?.text ?? "")];
  const sameName = name !== "" && other !== "" && (name.includes(other) || other.includes(name));
  const samePlace =
    own !== undefined &&
    own.place.entity.value.postalCode === address.place.entity.value.postalCode &&
    plain(own.street?.text ?? "") === plain(address.street?.text ?? "");
  return own === address || sameName || samePlace;
}

function namedOnly(
  document: DocumentContext,
  ruling: ReturnType<typeof ruledBy<Role>>,
  chosen: Map<Side, Block>,
): void {
  for (const { segment, entity } of entitiesOfType(document.annotations, "Company")) {
    const head = ruling(segment, entity.start);
    if ((head?.role !== "Seller" && head?.role !== "Buyer") || entity.score < scores.partyEntity.company) continue;
    if (document.prose.has(segment)) continue;
    const near = head.label.segment === segment || distance(head.label.segment, segment) < 5;
    if (!near || chosen.has(head.role)) continue;
    chosen.set(head.role, {
      role: head.role,
      name: companyName({ segment, entity }),
      confidence: scores.party.namedAfterHeading,
    });
  }
}

/**
 * Without headings, the seller is the address most typical of sellers; the buyer is the least typical one on page 1,
 * preferably one with a name.
 */
function addByLikeness(
  document: DocumentContext,
  company: CompanyFacts,
  chosen: Map<Side, Block>,
  free: readonly Address[],
): void {
  const distinct = free.filter(
    (address, at) =>
      !free.slice(0, at).some((other) => isSame({ role: "Seller", address: other, confidence: 1 }, address)),
  );
  const likeness = new Map(distinct.map((address) => [address, sellerLikeness(document, company, address, free)]));
  const ranked = [...distinct].sort((a, b) => (likeness.get(b) ?? 0) - (likeness.get(a) ?? 0));
  const take = (role: Side, address: Address | undefined) => {
    if (address && !chosen.has(role))
      chosen.set(role, { role, address: fullest(address, free), confidence: scores.party.byLikeness });
  };
  const [first] = ranked;
  const isReader =
    ranked.length === 1 && first !== undefined && !chosen.has("Buyer") && isBelowLetterhead(document, first);
  if (!chosen.has("Seller") && !(isReader && (likeness.get(first) ?? 0) < scores.seller.ofWriter))
    take("Seller", first);
  const rest = ranked.filter(
    (address) => address !== first || chosen.get("Seller")?.address !== fullest(address, free),
  );
  const windows = rest.filter(({ place }) => place.segment.page === 1);
  if (!chosen.has("Buyer")) take("Buyer", windows.filter((address) => address.name).at(-1) ?? windows.at(-1));
}

/** Whether another company is printed above the only address. */
function isBelowLetterhead(document: DocumentContext, { first, name }: Address): boolean {
  const others = name ? [plain(name.text)] : [];
  const letterhead = letterheadIn(document, others, ({ segment }) => segment.row < first.segment.row);
  return name !== undefined && letterhead !== undefined;
}

/** A company may be printed several times. Returns the occurrence with the most parts (name, street). */
function fullest(address: Address, all: readonly Address[]): Address {
  const parts = (each: Address) =>
    Number(each.name !== undefined) + Number(each.street !== undefined) + Number(each.named);
  const twins = all.filter((other) => isSame({ role: "Seller", address, confidence: 1 }, other));
  return twins.reduce((best, other) => (parts(other) > parts(best) ? other : best), address);
}

const nearRows = 8;
const firstRows = 4;

/** Rates how typical an address is of sellers. */
function sellerLikeness(
  document: DocumentContext,
  company: CompanyFacts,
  address: Address,
  all: readonly Address[],
): number {
  const { annotations } = document;
  const { first, place, name } = address;
  const page = annotations.layout.pages[place.segment.page - 1];
  const height = (place.segment.box.y0 + place.segment.box.y1) / 2 / (page?.height || 842);
  const oneLine = first.segment === place.segment && name !== undefined;
  const words = plain(name?.text ?? "").slice(0, 24);
  const isBeside = (type: "Vat" | "Iban" | "Phone" | "Email", yours = false) =>
    entitiesOfType<"Vat" | "Iban" | "Phone" | "Email">(annotations, type).some(
      ({ segment, entity }) =>
        entity.score >= scores.partyEntity.contact &&
        containsAnswer("yours", segment.text.slice(0, entity.start)) === yours &&
        segment.page === place.segment.page &&
        segment.row >= first.segment.row - 1 &&
        segment.row - place.segment.row <= nearRows &&
        distance(first.segment, segment) < 10,
    );
  const domain = [...entitiesOfType(annotations, "Email"), ...entitiesOfType(annotations, "Link")].some(
    ({ entity }) => {
      const host = plain(entity.value.replace(/^.*@|^https?:\/\/|^www\./u, "").split(".")[0] ?? "");
      return host.length >= 4 && words.includes(host);
    },
  );
  const ours = company.names.some((name) => name && words.includes(plain(name).slice(0, 24)));
  const twice = all.some((other) => other !== address && isSame({ role: "Seller", address, confidence: 1 }, other));
  const { seller, page: heights } = scores;
  return (
    (oneLine ? seller.onOneLine : 0) +
    (height > heights.footer ? seller.inFooter : 0) +
    (isBeside("Iban") ? seller.besideIban : 0) +
    (isBeside("Phone") || isBeside("Email") ? seller.besidePhoneOrEmail : 0) +
    (isBeside("Vat") ? seller.besideVatCode : 0) +
    (isBeside("Vat", true) ? seller.besideYours : 0) +
    (domain ? seller.mailDomain : 0) +
    (twice ? seller.printedTwice : 0) +
    (height < heights.top ? seller.atTop : 0) +
    (address === all[0] && first.segment.row < firstRows ? seller.printedFirst : 0) +
    (ours ? seller.ownCompany : 0) -
    place.segment.index / Math.max(1, annotations.layout.segments.length)
  );
}

function draftsOf(
  document: DocumentContext,
  ruling: ReturnType<typeof ruledBy<Role>>,
  blocks: readonly Block[],
  writer: Side,
): InvoiceParties {
  const claimed = new Set<string>();
  const drafts: InvoiceParties = {};
  const labelled = (block: Block) => Number(block.confidence > scores.party.byLikeness);
  for (const block of [...blocks].sort((a, b) => labelled(b) - labelled(a))) {
    const owned = (segment: Segment, at: number) => ownerOf(ruling, blocks, writer, segment, at) === block.role;
    const other = otherSide(block.role);
    const theirs = codesOf(document, (segment, at) => ownerOf(ruling, blocks, writer, segment, at) === other);
    const draft: PartyDraft = {
      ...nameOf(block),
      ...taxNumberOf(document, block, owned, blocks, theirs.length === 1 ? new Set([...claimed, ...theirs]) : claimed),
      ...addressOf(block),
      ...contactOf(document, block, owned),
    };
    if (draft.vatCode) claimed.add(draft.vatCode.value);
    drafts[block.role === "Seller" ? "seller" : "buyer"] = draft;
  }
  return drafts;
}

function codesOf(document: DocumentContext, owned: Owned): string[] {
  const codes = entitiesOfType(document.annotations, "Vat").flatMap(({ segment, entity }) =>
    entity.score >= scores.partyEntity.vat && owned(segment, entity.start)
      ? [entity.value.code.replace(/\s/gu, "")]
      : [],
  );
  return [...new Set(codes)];
}

/** By default, text belongs to the writer of the invoice. */
function ownerOf(
  ruling: ReturnType<typeof ruledBy<Role>>,
  blocks: readonly Block[],
  writer: Side,
  segment: Segment,
  at: number,
): Side | undefined {
  if (containsAnswer("yours", segment.text.slice(0, at))) return otherSide(writer);
  const head = ruling(segment, at);
  const rules = head && (head.label.index >= 0 || horizontalOverlap(head.label.segment.box, segment.box) > 0);
  if (rules && (head.role === "Seller" || head.role === "Buyer"))
    return head.label.index < 0 ? otherSide(writer) : head.role;
  const near = blocks
    .flatMap(({ role, address }) =>
      address && isUnder(address, segment) ? [{ role, away: distance(address.first.segment, segment) }] : [],
    )
    .sort((a, b) => a.away - b.away)[0];
  if (near) return near.role;
  return head?.role === "Other" ? undefined : writer;
}

function isUnder({ first }: Address, segment: Segment): boolean {
  return (
    first.segment.page === segment.page &&
    segment.row >= first.segment.row &&
    segment.row - first.segment.row < nearRows &&
    (segment.row === first.segment.row || horizontalOverlap(first.segment.box, segment.box) > 0) &&
    distance(first.segment, segment) < 12
  );
}
