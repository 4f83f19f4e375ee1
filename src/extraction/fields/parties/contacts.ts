import type { MailHead } from "../../document/document.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import type { CompanyFacts } from "../../document/extraction-result.ts";
import { labelOf } from "../labels/line-label.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import { FieldValue } from "../confidence/field-value.ts";
import { takesInvoices } from "./invoice-mailboxes.ts";
import type { Owned } from "../../layout/layout.ts";
import { entitiesOfType, type LocatedEntity } from "../labels/annotations.ts";
import type { Block, PartyDraft, PartyRole } from "./party.ts";
import { greetedPerson, personAt, personName, wordsAbove } from "./people.ts";
import { distance } from "../sections/sections.ts";
import { nameBefore, numberBeside, signedName, signerOf } from "./signatures.ts";
import type { DocumentContext } from "../labels/values.ts";

/**
 * Confidence of a name that was found only by its position above a phone number or mailbox. A name in the header of a
 * mail has a higher confidence.
 */
const guessedName = 0.5;

const outward: ReadonlySet<ConceptId> = new Set([
  "invoiceEmail",
  "requiredDocuments",
  "scansByEmail",
  "driver",
  "driverPhone",
  "fax",
  "penalties",
  "loadingContact",
  "unloadingContact",
]);

/** Maximum number of mailboxes whose owners are searched in the whole document. */
const mostMailboxes = 10;
/** Maximum distance from a person's name to a phone number or mailbox below it, in letter heights. */
const reach = 7;

const reachable: ReadonlySet<ConceptId> = new Set(["phone", "mobile", "contactPerson", "email"]);

/** Finds the contact person, e-mail address and phone number of the party. */
export function contactOf(
  document: DocumentContext,
  block: Block<string>,
  owned: Owned,
): Pick<PartyDraft, "contactPerson"> {
  const labelled = personOf(document, owned);
  const [phones, emails] = [reachedBy(document, "Phone", owned), reachedBy(document, "Email", owned)];
  const near = <T extends "Phone" | "Email">(all: readonly LocatedEntity<T>[]) =>
    labelled && all.find((sighting) => belongsTo(labelled, sighting));
  const signed = emails.slice(0, mostMailboxes).flatMap((email) => {
    const name = signerOf(document, email);
    return name ? [{ email, name }] : [];
  });
  const [first] = labelled ? signed.filter(({ name }) => name.text === labelled.text) : signed;
  const email = near(emails) ?? first?.email ?? emails[0];
  const labelledName =
    labelled ??
    first?.name ??
    namedBeside(document, [email, ...phones]) ??
    (block.role === "Customer" ? signedName(document) : undefined);
  const guessed = labelledName ? undefined : wordsAbove(document, email ?? phones[0]);
  const name = labelledName ?? guessed;
  const phone = near(phones) ?? phoneBeside(document, name, email, phones) ?? phones[0];
  const contactPerson = {
    ...(name && { name: new FieldValue(name.text, (labelledName ? 0.75 : guessedName) * block.confidence, name) }),
    ...(email && { email: printed(email, 0.85 * block.confidence) }),
    ...(phone && { phone: printed(phone, 0.85 * block.confidence) }),
  };
  return Object.keys(contactPerson).length > 0 ? { contactPerson } : {};
}

function reachedBy<T extends "Phone" | "Email">(document: DocumentContext, type: T, owned: Owned): LocatedEntity<T>[] {
  return entitiesOfType<"Phone" | "Email">(document.annotations, type).filter(({ segment, entity }) => {
    if (!owned(segment, entity.start) || document.prose.has(segment)) return false;
    if (entity.type === "Email" && takesInvoices(entity.value)) return false;
    const label = labelOf(document.annotations, segment, entity.start);
    const called = label?.meanings.some((each) => reachable.has(each.concept)) ?? false;
    const isLabelled = called || (type === "Phone" && nameBefore(document, { segment, entity }) !== undefined);
    if (entity.score < (isLabelled ? 0.3 : 0.5)) return false;
    return !label?.meanings.some((each) => outward.has(each.concept) && each.weight > 0.5);
  }) as LocatedEntity<T>[];
}

function namedBeside(
  document: DocumentContext,
  all: readonly (LocatedEntity<"Phone" | "Email"> | undefined)[],
): TextSpan | undefined {
  for (const sighting of all) {
    const name = sighting && nameBefore(document, sighting);
    if (name) return name;
  }
  return undefined;
}

function phoneBeside(
  document: DocumentContext,
  name: TextSpan | undefined,
  email: LocatedEntity<"Email"> | undefined,
  phones: readonly LocatedEntity<"Phone">[],
): LocatedEntity<"Phone"> | undefined {
  const byName = name && numberBeside(document, name);
  if (byName || (phones[0] && phones[0].segment === email?.segment)) return byName;
  return email && numberBeside(document, { ...email.entity, segment: email.segment, text: "" });
}

const nearestRows = 4;

function belongsTo({ segment, end }: TextSpan, { segment: other, entity }: LocatedEntity<"Phone" | "Email">): boolean {
  if (other === segment) return entity.start >= end;
  if (other.page !== segment.page || other.part !== segment.part) return false;
  const rows = other.row - segment.row;
  return rows === 0
    ? other.box.x0 > segment.box.x0
    : rows > 0 && rows < nearestRows && distance(segment, other) < reach;
}

function printed({ segment, entity }: LocatedEntity<"Phone" | "Email">, confidence: number): FieldValue<string> {
  return new FieldValue(segment.text.slice(entity.start, entity.end), confidence, {
    segment,
    start: entity.start,
    end: entity.end,
  });
}

function personOf(document: DocumentContext, owned: Owned): TextSpan | undefined {
  for (const label of document.annotations.labels) {
    const contact = label.meanings.some((each) => each.concept === "contactPerson" && each.weight >= 0.4);
    if (!contact || label.standing === "Loose" || !owned(label.segment, label.start)) continue;
    const person = personAt(document, label);
    if (person) return person;
  }
  return undefined;
}

/**
 * Adds the sender of a mail as the customer's contact, and its recipient as the carrier's. Does nothing if a mailbox of
 * the account's own company sent the mail.
 */
export function fromMail(
  drafts: Partial<Record<PartyRole, PartyDraft>>,
  mail: MailHead | undefined,
  { emailDomains }: CompanyFacts,
): void {
  const { from, to = [] } = mail ?? {};
  if (!from?.address || emailDomains.includes(domainOf(from.address))) return;
  addContact((drafts.Customer ??= {}), from);
  const [reader] = to;
  if (reader?.address && domainOf(reader.address) !== domainOf(from.address))
    addContact((drafts.Carrier ??= {}), reader);
}

/**
 * Adds the person whom the letter greets as the carrier's contact, unless one is known or it is the customer's. It replaces
 * another name of the recipient's mailbox, which may be that of an office.
 */
export function fromGreeting(document: DocumentContext, drafts: Partial<Record<PartyRole, PartyDraft>>): void {
  const { Customer, Carrier } = drafts;
  const known = Carrier?.contactPerson?.name;
  const person = greetedPerson(document);
  if (!person || Customer?.contactPerson?.name?.value.includes(person.text)) return;
  if (known && known.confidence > guessedName && (known.span || known.value.includes(person.text))) return;
  const name = new FieldValue(person.text, 0.6, person);
  drafts.Carrier = { ...Carrier, contactPerson: { ...Carrier?.contactPerson, name } };
}

const domainOf = (address: string) => address.split("@")[1] ?? "";

function addContact(party: PartyDraft, { name, address }: { name?: string; address?: string }): void {
  const contact = (party.contactPerson ??= {});
  if (address) contact.email ??= FieldValue.inMailHead(address, 0.75);
  if (name && personName.test(name) && (contact.name?.confidence ?? 0) <= guessedName)
    contact.name = FieldValue.inMailHead(name, 0.7);
}
