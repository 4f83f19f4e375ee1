/** Figures that are enough: with or without the country, whatever stands before them. */
const enough = 9;
/** Fewer figures than these are no number of anybody without the code of its country. */
const fewest = 6;

/** Codes of countries, as E.164 has them: the rest have three figures. */
const countryCode = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])|^\d{3}/;

/** What a number does not begin behind. */
const notBehind = "(?<!\\d|\\d\\.)";

/** What may stand between two figures of a number. */
const gap = "[\\s().\\/\\p{Pd}]{0,3}";

/**
 * Numbers that are no phone numbers, whatever their figures: ids, digests, dates. Where one of them begins, a phone number
 * does not; the figures behind it are looked at by themselves.
 */
const others = [
  "\\p{AHex}{8}(?:-\\p{AHex}{4}){3}-\\p{AHex}{12}",
  "\\p{AHex}{20,}",
  "(?:19|20)\\d\\d-[01]\\d-[0-3]\\d(?!\\d|-\\d)",
  "[0-3]?\\d(?<mark>[./-])[01]?\\d\\k<mark>(?:19|20)\\d\\d(?!\\d|\\k<mark>\\d)",
];
/** Eight figures that are a day; alone in a text they may be a number as well. */
const bareDay = "(?:19|20)\\d\\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])(?!\\d)";

/** `52.2296756` is a degree or an amount; no such thing begins with a nought and a figure. */
const decimal = /^(?:0|[1-9]\d*)\.\d+$/;

/**
 * Finds a phone number in texts and puts something in its place. Nine figures are compared, or as many as it has without the
 * code of its country; of fewer than nine no others may stand before them but that code or a nought. Dates, decimal numbers,
 * ids and digests hold no phone number.
 */
export function phoneMatcher(phone: string, instead: string) {
  const all = new RegExp(`${notBehind}(?:${[...others, bareDay].join("|")})|${patternOf(phone)}`, "giu");
  const own = new RegExp(`^\\s*${patternOf(phone)}\\s*$`, "u");
  const isOwn = (text: string) => /^\s*\d+\s*$/.test(text) && own.test(text);
  return {
    isIn: (text: string): boolean => isOwn(text) || text.matchAll(all).some(({ groups }) => isWhole(groups?.["phone"])),
    without: (text: string): string =>
      isOwn(text)
        ? instead
        : text.replace(all, (match: string, ...more: unknown[]) => {
            const { phone: found } = more.at(-1) as { phone?: string };
            return isWhole(found) ? instead : match;
          }),
  };
}

const isWhole = (found: string | undefined): boolean => found !== undefined && !decimal.test(found);

function patternOf(phone: string): string {
  const said = phone.replace(/[^\d+]/g, "");
  const abroad = /^(?:\+|00)/.exec(said)?.[0];
  const figures = said.replace(/\D/g, "").slice(abroad === "00" ? 2 : 0);
  const code = abroad === undefined ? undefined : countryCode.exec(figures)?.[0];
  const own = (code === undefined ? figures : figures.slice(code.length)).replace(/^0+/, "");
  if (own.length >= enough) return numbered(longBefore, own.slice(-enough));
  if (own.length < fewest) return numbered("(?:\\+|00)?", figures);
  return numbered(shortBefore(code), own);
}

/** Five more figures at most, or as many as a country and a district have where it is plain that a number begins. */
const longBefore = `(?:(?:\\+|00)(?:\\d${gap}){0,6}|\\d{0,5})`;

/** The code of the country, or a nought. */
function shortBefore(code: string | undefined): string {
  const abroad = `(?:\\+|00)\\s?${code ?? "\\d{1,3}"}${gap}`;
  return `(?:${abroad}${code ? `|${code}` : ""})?(?:\\(?0${gap})?`;
}

const numbered = (before: string, figures: string) =>
  `${notBehind}(?<phone>${before}${figures.split("").join(gap)})(?!\\d|\\.\\d)`;
