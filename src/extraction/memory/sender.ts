import { foldName } from "../lexicon/fold.ts";
import { haveSameVatCode } from "../lexicon/vat-codes.ts";
import type { CompanyFacts } from "../document/extraction-result.ts";
import type { KindName } from "../kinds/kinds.ts";
import { layoutTexts } from "./family.ts";
import type { AnnotatedPage } from "./lesson.ts";

/** The possible senders of a document, and its layout. */
export interface Sender {
  /** Keys of the possible senders (`domain:…`, `vat:…`, `name:…`), the most certain first. */
  keys: string[];
  /** The kind that the document was extracted as. */
  kind: KindName;
  /** Hashes of the texts of the layout; see `layoutTexts`. */
  texts: number[];
}

const mostOfEach = 3;
const mostKeys = 8;
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
  page: AnnotatedPage,
  kind: KindName,
  maker: { name?: string; vatCode?: string } | undefined,
  company: CompanyFacts,
): Sender {
  const { annotations, mail } = page;
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
  return { keys: [...new Set(keys)].slice(0, mostKeys), kind, texts: layoutTexts(page) };
}

const tight = (code: string) => code.toUpperCase().replace(/[^A-Z0-9]/g, "");

function domainOf(address: string, own: ReadonlySet<string>): string | undefined {
  const whole = address.trim().toLowerCase();
  const domain = whole.split("@")[1];
  if (!domain || [...own].some((each) => domain === each || domain.endsWith(`.${each}`))) return undefined;
  return `domain:${publicMail.test(domain) ? whole : domain}`;
}
