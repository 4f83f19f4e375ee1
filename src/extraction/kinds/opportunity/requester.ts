import type { MailHead } from "../../document/document.ts";
import type { CompanyFacts } from "../../document/extraction-result.ts";
import { haveSameVatCode } from "../../lexicon/vat-codes.ts";
import { foldText } from "../../lexicon/fold.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType, type LocatedEntity } from "../../fields/labels/annotations.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { contactOf } from "../../fields/parties/contacts.ts";
import { isNamedAfter } from "../../fields/parties/mailboxes.ts";
import { personName } from "../../fields/parties/people.ts";
import { addressOf, plain, type PartyDraft } from "../../fields/parties/party.ts";
import { hostOf } from "../../fields/parties/senders.ts";
import { numberBeside } from "../../fields/parties/signatures.ts";
import { lineBelow } from "../../layout/page-index.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import type { Segment } from "../../layout/layout.ts";
import type { TransportAnalysis } from "../transport.ts";
import type { RequestedStop } from "./route.ts";
import { scores } from "./scores.ts";

/**
 * Determines who requests the quote: the customer, otherwise the company of the signature, with the person who signs.
 * The user's own company and a stop are not the requester.
 */
export function requesterOf(
  analysis: TransportAnalysis,
  route: readonly RequestedStop[],
  company: CompanyFacts,
  mail: MailHead | undefined,
): PartyDraft | undefined {
  const { document, parties } = analysis;
  const named = [parties.drafts.Customer, parties.drafts.Payer].find(
    (party) => party && !isOwnCompany(party, company) && !isStop(party, route),
  );
  const known = named && withKnownName(document, named);
  const contact = contactFor(document, known, company, mail);
  const signers = signatureOf(document, contact, mail);
  const firm = known?.name ? undefined : firmOf(analysis, route, company, signers, mail);
  const phone = contact.phone ?? phoneAt(document, signers, firm);
  const contactPerson = { ...contact, ...(phone && { phone }) };
  const party = {
    ...known,
    ...firm,
    ...(Object.keys(contactPerson).length > 0 && { contactPerson }),
  };
  return Object.keys(party).length > 0 ? party : undefined;
}

/** Leaves out a name that is only the line above an address, such as a salutation, and that address. */
function withKnownName({ annotations }: DocumentContext, party: PartyDraft): PartyDraft {
  const { name, country: _, postalCode: __, city: ___, street: ____, ...rest } = party;
  const span = name?.span;
  const isCompany =
    !span ||
    (annotations.entitiesIn[span.segment.index] ?? []).some(
      ({ type, start, end }) => type === "Company" && start < span.end && end > span.start,
    );
  return isCompany || /\p{L}$/u.test(name.value.trim()) ? party : rest;
}

type Contact = NonNullable<PartyDraft["contactPerson"]>;

function contactFor(
  document: DocumentContext,
  known: PartyDraft | undefined,
  { emailDomains }: CompanyFacts,
  mail: MailHead | undefined,
): Contact {
  const isOurs = (address: string) => emailDomains.includes(hostOf(address));
  const from = mail?.from?.address && !isOurs(mail.from.address) ? mail.from : undefined;
  const emailsAt = ({ index }: Segment) =>
    (document.annotations.entitiesIn[index] ?? []).filter(({ type }) => type === "Email") as { value: string }[];
  const owned = (segment: Segment) => !emailsAt(segment).some(({ value }) => isOurs(value));
  const printed = contactOf(document, { role: "Customer", confidence: scores.sender.printed }, owned).contactPerson;
  const head = {
    ...(from?.name && { name: FieldValue.inMailHead(from.name, scores.sender.name) }),
    ...(from?.address && { email: FieldValue.inMailHead(from.address, scores.sender.email) }),
  };
  const isPerson = (name: FieldValue<string> | undefined) =>
    name !== undefined &&
    personName.test(name.value) &&
    !(from?.address && isNamedAfter(hostOf(from.address), name.value));
  const names = [known?.contactPerson?.name, head.name, printed?.name];
  const name = names.find(isPerson) ?? names.find((each) => each !== undefined);
  return { ...printed, ...head, ...known?.contactPerson, ...(name && { name }) };
}

/** Finds the lines on which the sender's name or mailbox is printed, last first. */
function signatureOf({ annotations }: DocumentContext, contact: Contact, mail: MailHead | undefined): TextSpan[] {
  const names = [contact.name?.value, mail?.from?.name].flatMap((name) => (name ? [foldText(name)] : []));
  const first = names.flatMap((name) => name.split(/\s+/u).filter((word) => word.length > 2));
  const lines = annotations.layout.segments.flatMap((segment): TextSpan[] => {
    const text = foldText(segment.text);
    const whole = names.find((name) => text.includes(name));
    const begun = first.find((word) => text.replace(/^[^\p{L}]+/u, "").startsWith(word) && text.length < 60);
    const word = whole ?? begun;
    const at = word === undefined ? -1 : text.indexOf(word);
    return at < 0
      ? []
      : [{ segment, start: at, end: at + word!.length, text: segment.text.slice(at, at + word!.length) }];
  });
  const email = contact.email?.span ?? contact.phone?.span;
  return [...lines.toReversed(), ...(email ? [{ ...email, text: "" }] : [])];
}

/** Maximum number of lines between a signer and their company. */
const nearSigner = 4;

function firmOf(
  { document, addresses, parties }: TransportAnalysis,
  route: readonly RequestedStop[],
  company: CompanyFacts,
  signers: readonly TextSpan[],
  mail: MailHead | undefined,
): PartyDraft | undefined {
  const hosts = [
    mail?.from?.address,
    ...entitiesOfType(document.annotations, "Email").map(({ entity }) => entity.value),
  ]
    .flatMap((address) => (address ? [hostOf(address)] : []))
    .filter((host) => !company.emailDomains.includes(host));
  const away = (segment: Segment) =>
    Math.min(
      nearSigner + 1,
      ...signers.map((signer) =>
        signer.segment.page === segment.page ? Math.abs(signer.segment.row - segment.row) : nearSigner + 1,
      ),
    );
  const ownNames = Object.values(parties.drafts).flatMap((party) =>
    party.name && isOwnCompany(party, company) ? [party.name.value] : [],
  );
  const ours = [...company.names, ...ownNames].map(plain).filter((own) => own !== "");
  const isOther = (name: string) => ours.some((own) => plain(name).includes(own));
  const firms = entitiesOfType(document.annotations, "Company").filter(
    ({ segment, entity }) =>
      entity.score >= scores.sender.minFirm &&
      !isOther(entity.value) &&
      !addresses.some(
        ({ name, place }) =>
          name?.segment === segment && name.start <= entity.start && name.end >= entity.end && isRouted(route, place),
      ),
  );
  const distinct = new Set(firms.map(({ entity }) => plain(entity.value))).size;
  const points = ({ segment, entity }: LocatedEntity<"Company">) =>
    (hosts.some((host) => isNamedAfter(host, entity.value)) ? 3 : 0) +
    (away(segment) <= nearSigner ? 2 : 0) +
    (segment.row < 2 ? 1 : 0) +
    (distinct === 1 ? 1 : 0) +
    entity.score / 10;
  const [best] = firms.toSorted((a, b) => points(b) - points(a));
  if (!best || points(best) < 1) return wordsBelow(document, signers, hosts);
  const { segment, entity } = best;
  const span = { segment, start: entity.start, end: entity.end };
  const address = addresses.find(
    ({ name, place }) =>
      !isRouted(route, place) &&
      ((name?.segment === segment && name.start < entity.end && name.end > entity.start) ||
        (place.segment === segment && place.entity.start >= entity.end)),
  );
  return {
    name: new FieldValue(entity.value, scores.sender.firm, span),
    ...addressOf({ ...(address && { address }), confidence: scores.sender.firm }),
  };
}

const isRouted = (route: readonly RequestedStop[], { entity }: LocatedEntity<"Place">) =>
  route.some(({ place }) => place?.entity === entity);

/** Without a legal form, a company is recognised on the lines of the signer by its mail domain. */
function wordsBelow(
  { annotations }: DocumentContext,
  signers: readonly TextSpan[],
  hosts: readonly string[],
): PartyDraft | undefined {
  for (const { segment, end } of signers) {
    const below = lineBelow(annotations, segment);
    for (const [line, from] of [
      [segment, end],
      [below, 0],
    ] as const) {
      if (!line) continue;
      for (const match of line.text.slice(from).matchAll(/[^,;|/·•()\d+]+/gu)) {
        const span = trimmedSpan(line, from + match.index, from + match.index + match[0].length);
        const words = span.text.replace(/^[\s.:–-]+|[\s.:–-]+$/gu, "");
        if (words.length > 4 && words.length < 60 && hosts.some((host) => isNamedAfter(host, words))) {
          const start = line.text.indexOf(words, from);
          return {
            name: new FieldValue(words, scores.sender.firm, { segment: line, start, end: start + words.length }),
          };
        }
      }
    }
  }
  return undefined;
}

function phoneAt(
  document: DocumentContext,
  signers: readonly TextSpan[],
  firm: PartyDraft | undefined,
): FieldValue<string> | undefined {
  const firmLine = firm?.name?.span;
  const lines = [...signers, ...(firmLine ? [{ ...firmLine, text: "" }] : [])];
  for (const line of lines) {
    const found = numberBeside(document, line);
    if (!found) continue;
    const { segment, entity } = found;
    const { start, end } = entity;
    return new FieldValue(segment.text.slice(start, end), scores.sender.phone, { segment, start, end });
  }
  return undefined;
}

function isStop({ postalCode, city }: PartyDraft, route: readonly RequestedStop[]): boolean {
  const span = (postalCode ?? city)?.span;
  return route.some(
    ({ place }) => place !== undefined && place.segment === span?.segment && place.entity.start === span.start,
  );
}

function isOwnCompany(party: PartyDraft, { names, vatCodes, emailDomains }: CompanyFacts): boolean {
  const name = plain(party.name?.value ?? "");
  const domain = party.contactPerson?.email?.value.split("@")[1]?.toLowerCase();
  return (
    (name !== "" && names.some((companyName) => companyName && name.includes(plain(companyName)))) ||
    vatCodes.some((own) => haveSameVatCode(own, party.vatCode?.value)) ||
    (domain !== undefined && emailDomains.includes(domain))
  );
}
