import type { CompanyFacts } from "../../document/extraction-result.ts";
import type { Address } from "../addresses/address.ts";
import { isNamedAfter } from "./mailboxes.ts";
import { entitiesOfType, type Annotations } from "../labels/annotations.ts";
import { indexAt } from "../../layout/page-index.ts";
import { plain, type Block } from "./party.ts";
import { stopRoles, type Role, type Sections } from "../sections/roles.ts";
import type { Head } from "../sections/sections.ts";
import type { DocumentContext } from "../labels/values.ts";

interface Page {
  document: DocumentContext;
  sections: Sections;
  addresses: readonly Address[];
  company: CompanyFacts;
}

/** Minimum confidence of a party that was identified by a heading and not by its position on the page. */
const leastTold = 0.7;

/**
 * Corrects a customer that was identified only by its position: if the letterhead is an image, the first address may
 * be the recipient's. The customer is then the company of a mail domain, or of a tax number at the foot of the page.
 * Also finds a missing customer by its mail domain.
 */
export function signedBySender(page: Page, blocks: readonly Block[]): readonly Block[] {
  const { annotations } = page.document;
  const guessed = blocks.find(({ role, confidence }) => role === "Customer" && confidence < leastTold);
  const hosts = [...new Set(entitiesOfType(annotations, "Email").map(({ entity }) => hostOf(entity.value)))].filter(
    (host) => !page.company.emailDomains.includes(host),
  );
  const writes = (name: string) => hosts.some((host) => isNamedAfter(host, name));
  const known = guessed?.address;
  if (known ? writes(known.name?.text ?? "") : blocks.some(({ role }) => role === "Customer")) return blocks;
  const free = page.addresses.filter((address) => address.named && isFree(page, address, blocks));
  const sender =
    free.find(({ name }) => writes(name?.text ?? "")) ??
    (known && !taxedAt(annotations, known) ? free.find((address) => isFoot(page, address, known)) : undefined);
  const another = entitiesOfType(annotations, "Company").some(
    ({ segment, entity }) =>
      segment.page === 1 &&
      segment.row <= (known?.place.segment.row ?? -1) &&
      writes(entity.value) &&
      !alike(entity.value, sender?.name?.text ?? ""),
  );
  if (!sender || another) return blocks;
  const others = blocks.filter(({ address, role }) => address !== sender && role !== "Customer");
  const isCarrierKnown = others.some(({ role, confidence }) => role === "Carrier" && confidence >= leastTold);
  const carrier = isCarrierKnown || !known ? [] : [{ role: "Carrier" as const, address: known, confidence: 0.58 }];
  return [{ role: "Customer", address: sender, confidence: 0.65 }, ...carrier, ...others];
}

/** Neither the address of a known carrier nor one on the line of a stop's heading may be the sender's. */
function isFree({ sections }: Page, address: Address, blocks: readonly Block[]): boolean {
  const head = rulerOf(sections, address);
  const carrier = blocks.find(({ role, confidence }) => role === "Carrier" && confidence >= leastTold);
  return (
    carrier?.address !== address &&
    !(head && stopRoles.has(head.role) && head.label.segment.row === address.first.segment.row)
  );
}

/**
 * Whether the address is at the foot of the document: below every heading of a stop, away from the first address, and
 * with a tax number next to it.
 */
function isFoot({ document: { annotations }, sections }: Page, address: Address, first: Address): boolean {
  const { page, row } = address.place.segment;
  const below = sections.heads.every(
    ({ role, label }) => !stopRoles.has(role) || label.segment.page < page || label.segment.row < row,
  );
  return below && address.first.segment.row > first.place.segment.row + 3 && taxedAt(annotations, address);
}

function taxedAt(annotations: Annotations, { first, place }: Address): boolean {
  const rows = [...new Set([first.segment, place.segment])].flatMap((segment) => {
    const near = indexAt(annotations.layout, segment).between(
      segment.box.y0 - segment.size,
      segment.box.y1 + 2 * segment.size,
    );
    return near.filter((other) => other.page === segment.page);
  });
  return entitiesOfType(annotations, "Vat", rows).some(({ entity }) => entity.score >= 0.45);
}

/** Returns the heading of an address: the one in the segment of the place, otherwise the one of its first line. */
export function rulerOf(sections: Sections, address: Address): Head<Role> | undefined {
  const { segment, entity } = address.place;
  const own = sections.ruling(segment, entity.start);
  return own?.label.segment === segment ? own : sections.ruling(address.first.segment, address.first.start);
}

/** Returns the domain of a mailbox. */
export const hostOf = (address: string): string => address.split("@")[1]?.toLowerCase() ?? "";

/** Whether one of the names contains the other. */
export function alike(name: string, otherName: string): boolean {
  const [one, other] = [plain(name), plain(otherName)];
  return one !== "" && (one.includes(other) || other.includes(one));
}
