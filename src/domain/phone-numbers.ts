const significantDigits = 9;
/** A number that has fewer digits without its country code is matched only with the country code. */
const minDigits = 6;

/** Country codes of E.164. Those that are not listed have three digits. */
const countryCode = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])|^\d{3}/;

const notBehind = "(?<!\\d|\\d\\.)";

const gap = "[\\s().\\/\\p{Pd}]{0,3}";

/** Ids, digests and dates. They are matched first, so that no phone number is found within them. */
const others = [
  "\\p{AHex}{8}(?:-\\p{AHex}{4}){3}-\\p{AHex}{12}",
  "\\p{AHex}{20,}",
  "(?:19|20)\\d\\d-[01]\\d-[0-3]\\d(?!\\d|-\\d)",
  "[0-3]?\\d(?<mark>[./-])[01]?\\d\\k<mark>(?:19|20)\\d\\d(?!\\d|\\k<mark>\\d)",
];
/** Eight digits that form a date: `20261124`. As the whole text, they may still be a phone number. */
const bareDay = "(?:19|20)\\d\\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])(?!\\d)";

/** Coordinates or amounts such as `52.2296756`. They do not begin with a zero and another digit. */
const decimal = /^(?:0|[1-9]\d*)\.\d+$/;

/**
 * Finds and replaces a phone number in texts. It compares the last nine digits; of a shorter number all digits, which
 * only its country code or a zero may precede. Dates, decimal numbers, ids and digests do not match.
 */
export function phoneMatcher(phone: string, replacement: string) {
  const all = new RegExp(`${notBehind}(?:${[...others, bareDay].join("|")})|${patternOf(phone)}`, "giu");
  const own = new RegExp(`^\\s*${patternOf(phone)}\\s*$`, "u");
  const isOwn = (text: string) => /^\s*\d+\s*$/.test(text) && own.test(text);
  return {
    isIn: (text: string): boolean => isOwn(text) || text.matchAll(all).some(({ groups }) => isWhole(groups?.["phone"])),
    without: (text: string): string =>
      isOwn(text)
        ? replacement
        : text.replace(all, (match: string, ...more: unknown[]) => {
            const { phone } = more.at(-1) as { phone?: string };
            return isWhole(phone) ? replacement : match;
          }),
  };
}

const isWhole = (phone: string | undefined): boolean => phone !== undefined && !decimal.test(phone);

function patternOf(phone: string): string {
  const digits = phone.replace(/[^\d+]/g, "");
  const abroad = /^(?:\+|00)/.exec(digits)?.[0];
  const figures = digits.replace(/\D/g, "").slice(abroad === "00" ? 2 : 0);
  const code = abroad === undefined ? undefined : countryCode.exec(figures)?.[0];
  const own = (code === undefined ? figures : figures.slice(code.length)).replace(/^0+/, "");
  if (own.length >= significantDigits) return numbered(longBefore, own.slice(-significantDigits));
  if (own.length < minDigits) return numbered("(?:\\+|00)?", figures);
  return numbered(shortBefore(code), own);
}

/** Up to five digits before the compared ones, or a country and area code after "+" or "00". */
const longBefore = `(?:(?:\\+|00)(?:\\d${gap}){0,6}|\\d{0,5})`;

function shortBefore(code: string | undefined): string {
  const abroad = `(?:\\+|00)\\s?${code ?? "\\d{1,3}"}${gap}`;
  return `(?:${abroad}${code ? `|${code}` : ""})?(?:\\(?0${gap})?`;
}

const numbered = (before: string, figures: string) =>
  `${notBehind}(?<phone>${before}${figures.split("").join(gap)})(?!\\d|\\.\\d)`;
