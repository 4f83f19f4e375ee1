import type { MailHead } from "../document/document.ts";
import { lettersOf } from "../fields/find-value/letters.ts";
import { foldName } from "../lexicon/fold.ts";
import { haveSameVatCode } from "../lexicon/vat-codes.ts";
import type { CompanyFacts } from "../document/extraction-result.ts";
import type { Annotations } from "../fields/labels/annotations.ts";

/** The possible senders of a document, and its layout. */
export interface Sender {
  /** Keys of the possible senders (`domain:…`, `vat:…`, `name:…`), the most certain first. */
  keys: string[];
  /** 64-bit hash of the layout, in hexadecimal. Similar layouts have similar hashes. */
  signature: string;
}

const mostOfEach = 3;
const mostKeys = 8;
const columns = 4;
/** The issuer's name is searched in these rows of the first page. */
const headRows = 8;

/** These domains do not identify a sender, so the whole address is used. */
const publicMail =
  /^(?:gmail|googlemail|outlook|hotmail|live|yahoo|icloud|gmx|web|wp|o2|onet|interia|poczta|seznam|centrum|mail|freemail|abv|inbox|ukr|yandex|libero|orange|free|t-online|proton|protonmail)\.[a-z]{2,3}(?:\.[a-z]{2})?$/;

/**
 * Identifies the sender of a document.
 * @param maker the extracted issuer
 */
export function identifySender(
  annotations: Annotations,
  mail: MailHead | undefined,
  maker: { name?: string; vatCode?: string } | undefined,
  company: CompanyFacts,
): Sender {
  const seen = annotations.layout.segments.flatMap((segment) => annotations.entitiesIn[segment.index] ?? []);
  const vatCodes = [maker?.vatCode, ...seen.flatMap((entity) => (entity.type === "Vat" ? entity.value.code : []))];
  const addresses = seen.flatMap((entity) => (entity.type === "Email" ? entity.value : []));
  const head = annotations.layout.segments.filter(({ page, row }) => page === 1 && row < headRows);
  const names = head
    .flatMap(({ index }) => annotations.entitiesIn[index] ?? [])
    .flatMap((entity) => (entity.type === "Company" && entity.score >= 0.5 ? entity.value : []));
  const own = {
    names: new Set(company.names.map(foldName)),
    domains: new Set(company.emailDomains.map((domain) => domain.toLowerCase())),
  };
  const of = (values: (string | undefined)[], name: (value: string) => string | undefined) =>
    [...new Set(values.flatMap((value) => (value ? (name(value) ?? []) : [])))].slice(0, mostOfEach);
  const byMail = (address: string) => domainOf(address, own.domains);
  const byVat = (code: string) =>
    company.vatCodes.some((known) => haveSameVatCode(known, code)) ? undefined : `vat:${tight(code)}`;
  const byName = (name: string) => {
    const folded = foldName(name).slice(0, 80);
    return !folded || own.names.has(folded) ? undefined : `name:${folded}`;
  };
  const keys = [
    ...of([mail?.from?.address], byMail),
    ...of(vatCodes.slice(0, 1), byVat),
    ...of(addresses, byMail),
    ...of(vatCodes.slice(1), byVat),
    ...of([maker?.name, ...names], byName),
  ];
  return { keys: [...new Set(keys)].slice(0, mostKeys), signature: signatureOf(annotations) };
}

const tight = (code: string) => code.toUpperCase().replace(/[^A-Z0-9]/g, "");

function domainOf(address: string, own: ReadonlySet<string>): string | undefined {
  const whole = address.trim().toLowerCase();
  const domain = whole.split("@")[1];
  if (!domain || [...own].some((each) => domain === each || domain.endsWith(`.${each}`))) return undefined;
  return `domain:${publicMail.test(domain) ? whole : domain}`;
}

/** Words before a colon are labels in any language. */
const beforeColon = /^[^:\d]{2,40}(?=:)/u;

/** Computes a SimHash (Charikar) of the labels on the first page and their columns. */
function signatureOf({ layout, labels }: Annotations): string {
  const features = new Set<string>();
  const add = (words: string, segment: (typeof layout.segments)[number]) => {
    const letters = lettersOf(words);
    const width = layout.pages[segment.page - 1]?.width ?? 1;
    const column = Math.min(columns - 1, Math.max(0, Math.floor((columns * segment.box.x0) / width)));
    if (letters.length >= 2) features.add(`${letters}@${column}`);
  };
  for (const { segment, start, end, standing } of labels)
    if (segment.page === 1 && standing !== "Loose") add(segment.text.slice(start, end), segment);
  for (const segment of layout.segments) {
    const words = segment.page === 1 && beforeColon.exec(segment.text)?.[0];
    if (words) add(words, segment);
  }
  const votes = Array.from({ length: 64 }, () => 0);
  for (const feature of features) {
    const [low, high] = [hash(feature, 0x811c9dc5), hash(feature, 0x01000193)];
    for (let bit = 0; bit < 32; bit += 1) {
      votes[bit]! += (low >>> bit) & 1 ? 1 : -1;
      votes[bit + 32]! += (high >>> bit) & 1 ? 1 : -1;
    }
  }
  let signature = "";
  for (let nibble = 0; nibble < 64; nibble += 4)
    signature += [0, 1, 2, 3].reduce((sum, bit) => sum + (votes[nibble + bit]! > 0 ? 1 << bit : 0), 0).toString(16);
  return signature;
}

/** FNV-1a with a final mix, so that the hashes of similar texts differ in all bits. */
function hash(text: string, seed: number): number {
  let sum = seed;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  sum = Math.imul(sum ^ (sum >>> 13), 0xc2b2ae35);
  return (sum ^ (sum >>> 16)) >>> 0;
}

/** Number of bits, of 64, in which similar layouts may differ. Unrelated documents differ in 32 ± 4. */
const mostDiffering = 20;

/** Whether two signatures are of documents with a similar layout. */
export function haveSimilarLayout(one: string, other: string): boolean {
  let differing = 0;
  for (let at = 0; at < 16; at += 1) {
    let bits = Number.parseInt(one[at] ?? "0", 16) ^ Number.parseInt(other[at] ?? "0", 16);
    for (; bits > 0; bits >>= 1) differing += bits & 1;
  }
  return differing <= mostDiffering;
}
