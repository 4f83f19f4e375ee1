import type { Block, Paragraph } from "./blocks.ts";

/** Separates the newest mail from the older mails below it, by the lines that mail programs insert between them. */
export function separateQuotes(blocks: Block[]): { own: Block[]; quoted: Block[] } {
  const lines = blocks.flatMap(linesOf);
  const verdict = quotedLines(lines.map((line) => line.text));
  const own: Block[] = [];
  const quoted: Block[] = [];
  let index = 0;
  for (const block of blocks) {
    const count = linesOf(block).length;
    const marks = verdict.slice(index, index + count);
    index += count;
    if (marks.every((mark) => !mark)) own.push(block);
    else if (marks.every(Boolean) || block.kind !== "Paragraph") quoted.push(block);
    else divide(block, marks, own, quoted);
  }
  return { own, quoted };
}

interface Line {
  text: string;
}

/** A table counts as one line that does not start a quotation. */
function linesOf(block: Block): Line[] {
  if (block.kind !== "Paragraph") return [{ text: "\u0000" }];
  return textOf(block)
    .split("\n")
    .map((text) => ({ text }));
}

function textOf(paragraph: Paragraph): string {
  return paragraph.runs.map((run) => run.text).join("");
}

function divide(block: Paragraph, marks: boolean[], own: Block[], quoted: Block[]): void {
  const rows = rowsOf(block);
  for (const [target, wanted] of [
    [own, false],
    [quoted, true],
  ] as const) {
    const runs = rows.filter((_, row) => (marks[row] ?? false) === wanted).flatMap((row) => [...row, { text: "\n" }]);
    target.push({ ...block, runs: runs.slice(0, -1) });
  }
}

function rowsOf(block: Paragraph): Paragraph["runs"][] {
  const rows: Paragraph["runs"][] = [[]];
  for (const run of block.runs) {
    run.text.split("\n").forEach((text, index) => {
      if (index > 0) rows.push([]);
      if (text !== "") rows.at(-1)?.push({ ...run, text });
    });
  }
  return rows;
}

function quotedLines(lines: string[]): boolean[] {
  const quoted = lines.map((line) => /^\s{0,3}>/.test(line));
  for (let at = 0; at < lines.length; at++) {
    if (quoted[at]) continue;
    const length = isDivider(lines, at) ? 1 : isHeadBlock(lines, at) ? 1 : attributionLength(lines, at);
    if (length === 0) continue;
    quoted.fill(true, at, at + length);
    // If lines with ">" follow an attribution, they are the older mail, and lines without ">" between them are replies.
    const next = nextFilled(lines, at + length);
    if (next !== undefined && /^\s{0,3}>/.test(lines[next] ?? "") && !isDivider(lines, at)) continue;
    return quoted.fill(true, at);
  }
  return quoted;
}

function nextFilled(lines: string[], from: number): number | undefined {
  for (let at = from; at < lines.length; at++) if (lines[at]?.trim()) return at;
  return undefined;
}

const originalMessage = new RegExp(
  [
    "original (?:message|mail|e-mail)|forwarded message|reply message|begin forwarded message",
    "urspr(?:ü|ue)ngliche (?:nachricht|mail)|weitergeleitete nachricht|original-?nachricht|anfang der weitergeleiteten nachricht",
    "(?:wiadomo(?:ś|s)(?:ć|c) )?oryginalna(?: wiadomo(?:ś|s)(?:ć|c))?|wiadomo(?:ś|s)(?:ć|c) (?:oryginalna|przekazana|przesłana dalej)|przekazana wiadomo(?:ś|s)(?:ć|c)",
    "message (?:d['’]origine|original|transféré)|mensaje (?:original|reenviado)|mensagem (?:original|encaminhada|reencaminhada)",
    "messaggio (?:originale|inoltrato)|inizio messaggio inoltrato",
    "původní zpráva|přeposlaná zpráva|pôvodná správa|preposlaná správa",
    "mesaj(?:ul)? (?:original|inițial|redirecționat)|eredeti üzenet|továbbított üzenet",
    "oorspronkelijk bericht|doorgestuurd bericht",
    "pradinis laiškas|originalus laiškas|persiųstas laiškas|originalus pranešimas|sākotnējā ziņa|oriģinālā ziņa|pārsūtītā ziņa|algne (?:sõnum|kiri)|edastatud (?:sõnum|kiri)",
    "исходное сообщение|пересылаемое сообщение|пересланное сообщение|оригінальне повідомлення|вихідне повідомлення|переслане повідомлення",
  ].join("|"),
  "iu",
);

/**
 * Whether a line separates mails: it is a line such as "-----Original Message-----", or a long rule directly above the
 * headers of a mail.
 */
function isDivider(lines: string[], at: number): boolean {
  const line = lines[at]?.trim() ?? "";
  if (/^[-_=*]{2,}/.test(line) && originalMessage.test(line) && line.length < 100) return true;
  if (originalMessage.test(line) && line.length < 45 && line.endsWith(":")) return true;
  if (!/^[_\-=*\u2014\u2500]{5,}$/.test(line)) return false;
  const next = nextFilled(lines, at + 1);
  return next !== undefined && next <= at + 3 && isHeadBlock(lines, next);
}

const headLabels: Record<"From" | "Sent" | "To" | "Subject", string> = {
  From: "from|von|od|de|da|feladó|van|expéditeur|nuo|siuntėjas|no|sūtītājs|saatja|kellelt|remitente|mittente|nadawca|odesílatel|odosielateľ|expeditor|afzender|remetente|от|від|от кого|від кого|отправитель|відправник|från|fra|lähettäjä",
  Sent: "sent|date|gesendet|datum|wysłano|wysłane|data|data wysłania|envoyé|envoyé le|enviado|enviado el|fecha|inviato|odesláno|odoslané|dátum|trimis|elküldve|küldve|verzonden|enviada|enviada em|išsiųsta|nosūtīts|datums|saadetud|kuupäev|отправлено|дата|надіслано|skickat|sendt|lähetetty",
  To: "to|an|do|à|a|para|pro|komu|către|címzett|aan|kam|kellele|saaja|adresat|destinataire|destinatario|destinatário|кому|till|til|vastaanottaja",
  Subject:
    "subject|betreff|betr|temat|objet|asunto|oggetto|předmět|predmet|subiect|subiectul|tárgy|onderwerp|assunto|tema|temats|teema|тема|ämne|emne|aihe",
};

const headPatterns = Object.values(headLabels).map(
  (labels) => new RegExp(`^[*\\s]*(?:${labels})\\s*:[*\\s]*\\S`, "iu"),
);

/**
 * Whether the headers of a quoted mail begin here: From, Subject and one more header within a few lines. Without
 * Subject, these lines may describe a load, as in "from: Poznań to: Lyon".
 */
function isHeadBlock(lines: string[], at: number): boolean {
  const [from, , , subject] = headPatterns;
  if (!from?.test(lines[at] ?? "")) return false;
  const block = lines.slice(at, at + 8).filter((line) => line.trim() !== "");
  const kinds = headPatterns.filter((pattern) => block.some((line) => pattern.test(line)));
  return kinds.length >= 3 && block.some((line) => subject?.test(line));
}

const wrote =
  /(?:\bwrote|\bschrieb|\bpisze|\bnapisał\w*(?:\(a\))?|a écrit|escribió|ha scritto|\bnapsal\w*(?:\(a\))?|\bnapísal\w*(?:\(a\))?|a scris|\bírta|\bschreef|escreveu|\brašė|\brakstīja|\bkirjutas|пишет|пише|написал(?:а|\(а\))?|написав|\bskrev|\bkirjoitti)(?![\p{L}])/iu;

/**
 * Whether a line may contain the date of a mail, as in "Sent: Monday, 30 March 2026" or "On 30 March 2026 … wrote:".
 */
export const mayTellWhenSent = (line: string): boolean =>
  line.length <= 300 && (headPatterns[1]!.test(line) || isAttribution([line]));

const maxAttributionLines = 3;

/**
 * Counts the lines of an attribution: "On Monday at 10:12 A. Person <a@b.example> wrote:", which mail programs wrap
 * over up to three lines.
 */
function attributionLength(lines: string[], at: number): number {
  for (let length = 1; length <= maxAttributionLines; length++)
    if (isAttribution(lines.slice(at, at + length))) return length;
  return 0;
}

function isAttribution(lines: string[]): boolean {
  const [first = "", ...others] = lines;
  const text = lines.join(" ").trim();
  if (text.length > 300 || !text.endsWith(":") || lines.some((line) => line.trim() === "")) return false;
  if (!/\d{1,2}[:.h]\d{2}|\d{4}/.test(first) || (others.length > 0 && isAttribution(others))) return false;
  return wrote.test(text) || /<[^<>\s]+@[^<>\s]+>/.test(text);
}
