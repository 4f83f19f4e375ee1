import type { Format } from "../document/document.ts";

const htmlStart =
  /^(?:<!--[\s\S]*?-->\s*)?<(?:!doctype\s+html|html|head|body|table|div|p|span|meta|style|title|center|font|h[1-6])\b/i;
const xmlStart = /^<(?:\?xml\b|[A-Za-z_][\w.:-]*(?:\s|>|\/))/;
const ediStart = /^(?:UNA.{6}\s*)?UN[BH]\+|^UNA.{6}\s*UNB|^ISA([^A-Za-z0-9\s])..\1/s;

/**
 * Detects the format of a text. Returns undefined for a script. The extension of `name` is used only if the content
 * does not show the format.
 */
export function textFormat(text: string, name: string): Format | undefined {
  const start = text.trimStart();
  const extension = name.toLowerCase().match(/\.([a-z0-9]+)$/)?.[1] ?? "";
  if (/^#!\s*\//.test(start)) return undefined;
  if (ediStart.test(start)) return "Edi";
  if (/^[{[]/.test(start) && isJson(start, extension)) return "Json";
  if (htmlStart.test(start) || (/^<\?xml\b/.test(start) && /<html[\s>]/i.test(start.slice(0, 2000)))) return "Html";
  if (xmlStart.test(start)) return "Xml";
  if (isMail(start, extension)) return "Eml";
  if (extension.startsWith("htm") && /<\/?(?:p|br|div|table|td)\b/i.test(start)) return "Html";
  return isTable(text, extension) ? "Csv" : "Text";
}

function isJson(start: string, extension: string): boolean {
  try {
    JSON.parse(start);
    return true;
  } catch {
    // `start` may be only the beginning of a longer text.
    return extension === "json" || (start.length > 60_000 && /^[{[]\s*["{[\d]/.test(start));
  }
}

/**
 * Headers that only mail programs write. The headers "From:", "To:" and "Date:" also occur at the beginning of other
 * texts.
 */
const technicalHeading =
  /^(?:mime-version|message-id|received|return-path|delivered-to|content-type|content-transfer-encoding|dkim-signature|x-[\w-]+|references|in-reply-to|thread-index|envelope-to)\s*:/im;
const heading = /^[!-9;-~]+:(?:[ \t]|$)/;

function isMail(start: string, extension: string): boolean {
  const [block = ""] = start.replace(/^From \S.*\r?\n/, "").split(/\r?\n[ \t]*\r?\n|\r\r/);
  const lines = block.split(/\r\n|\r|\n/);
  const first = lines[0] ?? "";
  if (!heading.test(first)) return false;
  const headed = lines.filter((line) => heading.test(line) || /^[ \t]/.test(line)).length;
  if (headed < lines.length * headedLines) return false;
  return (
    extension === "eml" ||
    technicalHeading.test(block) ||
    (/^(?:from|to):.*@/im.test(block) && /^date:.{0,100}\d{4}.{0,100}:/im.test(block))
  );
}

/** Minimum share of header lines at the start of a mail, and of lines with the same number of separators in a table. */
const [headedLines, regularLines] = [0.8, 0.95];

const separators = [";", "\t", ",", "|"];

/** Nearly all lines of a table have the same number of separators, unlike lists of words with commas. */
function isTable(text: string, extension: string): boolean {
  if (extension === "csv" || extension === "tsv") return true;
  const lines = text
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== "")
    .slice(0, 30);
  if (lines.length < 2) return false;
  return separators.some((separator) => {
    const counts = lines.map((line) => line.replace(/"[^"]*"/g, "").split(separator).length - 1);
    const [first = 0] = counts;
    const least = separator === "," ? 4 : 2;
    return first >= least && counts.filter((count) => count === first).length >= counts.length * regularLines;
  });
}
