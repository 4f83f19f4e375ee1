/**
 * A date of a worksheet as ISO date, date and time, or time alone where the cell holds no day. Workbooks keep wall time;
 * hucre hands it out as UTC.
 */
export function formatDate(date: Date): string {
  if (Number.isNaN(date.getTime())) return "";
  // Fractions of a day do not fall on whole seconds.
  const iso = new Date(Math.round(date.getTime() / 60_000) * 60_000).toISOString();
  const day = iso.slice(0, 10);
  const time = iso.slice(11, 16);
  if (day < "1900-01-02") return time;
  return time === "00:00" ? day : `${day} ${time}`;
}

/** What Excel allows. */
const longestFormat = 255;

/**
 * A number as it stands in the cell, with the units and currency its format prints around it. Grouping and rounding of the
 * format are left away: the value itself is exact.
 */
export function formatNumber(value: number, format = ""): string {
  const [positive = "", negative] = format.slice(0, longestFormat).split(";");
  const section = value < 0 && negative ? negative : positive;
  const { before, after } = affixes(section);
  if (/%/.test(after)) return `${before}${plain(value * 100)}${after}`;
  return `${before}${plain(value)}${after}`;
}

function plain(value: number): string {
  const text = String(Number(value.toPrecision(12)));
  // "1.362" beside German text would be read as thirteen hundred; "1.3620" cannot be.
  return /^-?\d{1,3}\.\d{3}$/.test(text) ? `${text}0` : text;
}

/** The literal text of a number format before and behind its digits. */
function affixes(section: string): { before: string; after: string } {
  const literal = section
    .replace(/\[\$([^\]-]*)(?:-[^\]]*)?\]/g, '"$1"')
    .replace(/\[[^\]]*\]/g, "")
    .replace(/_.|\*./g, "");
  const digits = /[#0?](?:[#0?.,\s]|\\[. ]|"[.,' ]")*/.exec(literal);
  if (!digits || /[dmyhs]/i.test(literal.replace(/"[^"]*"/g, ""))) return { before: "", after: "" };
  return {
    before: words(literal.slice(0, digits.index)).replace(/(\p{L})$/u, "$1 "),
    after: words(literal.slice(digits.index + digits[0].length)).replace(/^(\p{L})/u, " $1"),
  };
}

function words(format: string): string {
  const text = [...format.matchAll(/"([^"]*)"|\\(.)|([€$£%]|zł)|(\s+)/gu)]
    .map((part) => part[1] ?? part[2] ?? part[3] ?? part[4])
    .join("");
  return text.replace(/^-$/, "");
}
