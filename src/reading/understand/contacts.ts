import type { MailHead } from "../document.ts";
import type { ConceptId } from "../know/concepts.ts";
import type { CompanyFacts } from "../reading.ts";
import { labelOf } from "./line-label.ts";
import type { Piece } from "./piece.ts";
import { Found } from "./found.ts";
import type { Owned } from "./layout.ts";
import { sightings, type Sighting } from "./marks.ts";
import type { Block, PartyDraft, PartyRole } from "./party.ts";
import { personAt, personName, wordsAbove } from "./people.ts";
import { distance } from "./sections.ts";
import type { Surroundings } from "./values.ts";

/** A name found only by its place above a telephone number; a mail's own head knows better. */
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

/** In letter heights, from the person's name to the lines of address below it. */
const reach = 7;

const reachable: ReadonlySet<ConceptId> = new Set(["phone", "mobile", "contactPerson", "email"]);

/** The party's person, e-mail address and telephone number. */
export function contactOf(around: Surroundings, block: Block<string>, owned: Owned): Pick<PartyDraft, "contactPerson"> {
  const named = personOf(around, owned);
  const mine = (type: "Phone" | "Email") => {
    const all = sightings<"Phone" | "Email">(around.marks, type).filter(({ segment, entity }) => {
      if (!owned(segment, entity.start) || around.prose.has(segment)) return false;
      const label = labelOf(around.marks, segment, entity.start);
      const called = label?.meanings.some((each) => reachable.has(each.concept)) ?? false;
      if (entity.score < (called ? 0.3 : 0.5)) return false;
      return !label?.meanings.some((each) => outward.has(each.concept) && each.weight > 0.5);
    });
    return all.find((sighting) => named && belongsTo(named, sighting)) ?? all[0];
  };
  const [phone, email] = [mine("Phone"), mine("Email")];
  const guessed = named ? undefined : wordsAbove(around, email ?? phone);
  const name = named ?? guessed;
  const contactPerson = {
    ...(name && { name: new Found(name.text, (named ? 0.75 : guessedName) * block.confidence, name) }),
    ...(email && { email: printed(email, 0.85 * block.confidence) }),
    ...(phone && { phone: printed(phone, 0.85 * block.confidence) }),
  };
  return Object.keys(contactPerson).length > 0 ? { contactPerson } : {};
}

const nearestRows = 4;

/** Behind the person's name on the line, beside it, or in the lines right below. */
function belongsTo({ segment, end }: Piece, { segment: other, entity }: Sighting<"Phone" | "Email">): boolean {
  if (other === segment) return entity.start >= end;
  if (other.page !== segment.page || other.part !== segment.part) return false;
  const rows = other.row - segment.row;
  return rows === 0
    ? other.box.x0 > segment.box.x0
    : rows > 0 && rows < nearestRows && distance(segment, other) < reach;
}

function printed({ segment, entity }: Sighting<"Phone" | "Email">, confidence: number): Found<string> {
  return new Found(segment.text.slice(entity.start, entity.end), confidence, {
    segment,
    start: entity.start,
    end: entity.end,
  });
}

function personOf(around: Surroundings, owned: Owned): Piece | undefined {
  for (const label of around.marks.labels) {
    const contact = label.meanings.some((each) => each.concept === "contactPerson" && each.weight >= 0.4);
    if (!contact || label.standing === "Loose" || !owned(label.segment, label.start)) continue;
    const person = personAt(around, label);
    if (person) return person;
  }
  return undefined;
}

/** A mail's sender is the customer's person and its reader the carrier's, unless the reader's own company forwards it. */
export function fromMail(
  drafts: Partial<Record<PartyRole, PartyDraft>>,
  mail: MailHead | undefined,
  { emailDomains }: CompanyFacts,
): void {
  const { from, to = [] } = mail ?? {};
  if (!from?.address || emailDomains.includes(domainOf(from.address))) return;
  introduce((drafts.Customer ??= {}), from);
  const [reader] = to;
  if (drafts.Carrier && reader?.address && domainOf(reader.address) !== domainOf(from.address))
    introduce(drafts.Carrier, reader);
}

const domainOf = (address: string) => address.split("@")[1] ?? "";

function introduce(party: PartyDraft, { name, address }: { name?: string; address?: string }): void {
  const contact = (party.contactPerson ??= {});
  if (address) contact.email ??= new Found(address, 0.75);
  if (name && personName.test(name) && (contact.name?.confidence ?? 0) <= guessedName)
    contact.name = new Found(name, 0.7);
}
