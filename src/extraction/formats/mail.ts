import PostalMime, { type Address, type Attachment, type Email } from "postal-mime";
import type { MailHead } from "../document/document.ts";
import { ExtractionProblem } from "../problem.ts";
import type { Block } from "./blocks.ts";
import { decodeLatin1 } from "../document/bytes.ts";
import { blocksOfLines } from "./delimited-text.ts";
import { htmlBlocks } from "./html.ts";
import { isPhotograph } from "./image.ts";
import { countReadable } from "./clean-text.ts";
import { unzipAttachments } from "./zip-attachments.ts";
import { separateQuotes } from "./quotes.ts";
import type { ReaderContext, InputFile, ReaderOutput, Reader } from "./reader.ts";
import { layOutBlocks } from "./table-layout.ts";
import { sniff } from "./sniff.ts";
import { isTnef, readTnef, textAsFile, type TnefMail } from "./tnef.ts";

export const readMail: Reader = async (file, context) => {
  const mail = await parseMail(file.bytes);
  return {
    ...layOutBody({ html: mail.html, text: mail.text }, context),
    mail: headOf(mail),
    embedded: attachmentsIn(mail),
    warnings: packedMails(mail).flatMap(({ unread }) =>
      unread.map((name) => `Attachment ${name} was not read: its encoding is not supported.`),
    ),
  };
};

/**
 * Parses a raw mail (RFC 5322).
 * @throws ExtractionProblem `file_corrupted`
 */
export async function parseMail(bytes: Uint8Array): Promise<Email> {
  const isWhole = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
  try {
    return await PostalMime.parse(isWhole ? bytes.buffer : new Uint8Array(bytes), {
      forceRfc822Attachments: true,
      maxNestingDepth: 50,
    });
  } catch {
    throw new ExtractionProblem("file_corrupted", "The mail is damaged and cannot be read.");
  }
}

/**
 * Lists the attachments of a mail, without signatures, calendars and small inline pictures. Zip files are replaced by
 * their contents. If the mail's only body is packed in a `winmail.dat`, the body is included as a file.
 */
export const attachmentsIn = (mail: Email): InputFile[] =>
  unzipAttachments([...packedWords(mail), ...mail.attachments.filter(isWorthOpening).flatMap(filesIn)]);

const packedMails = (mail: Email): TnefMail[] =>
  mail.attachments
    .map(contentOf)
    .filter(isTnef)
    .map((bytes) => readTnef(bytes));

function packedWords(mail: Email): InputFile[] {
  if (countReadable(`${mail.text ?? ""}${mail.html?.replace(/<[^>]*>/g, "") ?? ""}`) > 0) return [];
  return packedMails(mail).flatMap(({ words }) => textAsFile(words, "mail") ?? []);
}

export function headOf(mail: Email): MailHead {
  const [from] = mailboxes(mail.from ? [mail.from] : []);
  const head = readHead(mail.subject, from, mailboxes(mail.to ?? []), mail.date);
  const day = head.date && (ownDay(mail.headers.find(({ key }) => key === "date")?.value) ?? head.date.slice(0, 10));
  return { ...head, ...(day && { day }) };
}

const monthNames = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/** Parses the date in a `Date` header (RFC 5322), in the sender's time zone. */
function ownDay(heading = ""): string | undefined {
  const [, day = "", month = "", year = ""] =
    /(?:^|[\s,])(\d{1,2}) ([a-z]{3})[a-z]* (\d{4})(?!\d)/i.exec(heading) ?? [];
  const number = monthNames.indexOf(month.toLowerCase()) + 1;
  return number > 0 ? `${year}-${String(number).padStart(2, "0")}-${day.padStart(2, "0")}` : undefined;
}

export function readHead(subject = "", from: MailHead["from"], to: MailHead["to"], date: string | undefined): MailHead {
  const when = new Date(date ?? Number.NaN);
  return {
    subject: subject.replace(/\s+/g, " ").trim(),
    ...(from && { from }),
    to,
    ...(!Number.isNaN(when.getTime()) && { date: when.toISOString() }),
  };
}

function mailboxes(addresses: Address[]): MailHead["to"] {
  return addresses
    .flatMap((each) => each.group ?? [each])
    .slice(0, 100)
    .map(({ name, address }) => mailbox(name, address));
}

export function mailbox(name: string | undefined, address: string | undefined): MailHead["to"][number] {
  return { ...(name && { name }), ...(address && { address: address.toLowerCase() }) };
}

/**
 * Lays out the body of a mail. HTML is preferred, because it preserves tables. It is not used if it has clearly less
 * text than the plain body.
 */
export function layOutBody(
  body: { html?: string | undefined; text?: string | undefined },
  context: ReaderContext,
): Pick<ReaderOutput, "pages" | "quoted"> {
  const { own, quoted } = bodyBlocks(body, context);
  return { pages: layOutBlocks(own, context), ...(lettersIn(quoted) > 0 && { quoted: layOutBlocks(quoted, context) }) };
}

const minShareOfPlainText = 0.8;

/** Converts the body of a mail to blocks: those of the newest mail, and those of the quoted older mails. */
export function bodyBlocks(
  body: { html?: string | undefined; text?: string | undefined },
  context: ReaderContext,
): { own: Block[]; quoted: Block[] } {
  const text = body.text ?? "";
  const html = body.html ? htmlBlocks(body.html, context) : undefined;
  const fromHtml =
    html && lettersIn([...html.own, ...html.quoted]) >= countReadable(text) * minShareOfPlainText ? html : undefined;
  const { own, quoted } = separateQuotes(fromHtml?.own ?? textBlocks(text));
  return { own, quoted: [...quoted, ...(fromHtml?.quoted ?? [])] };
}

/**
 * Converts a plain body to blocks. Long lines are wrapped, shorter lines keep their white space, and rows of cells
 * become tables.
 */
export const textBlocks = (text: string): Block[] =>
  blocksOfLines(text.split(/\r\n|\r|\n/), (line) => ({
    kind: "Paragraph",
    runs: [{ text: line.trimEnd() }],
    fixed: line.length <= 110,
  }));

function lettersIn(blocks: Block[]): number {
  let letters = 0;
  for (const block of blocks) {
    if (block.kind === "Paragraph") letters += countReadable(block.runs.map((run) => run.text).join(""));
    if (block.kind === "Table") for (const cell of block.rows.flat()) letters += lettersIn(cell.blocks);
  }
  return letters;
}

const neverDocuments =
  /^(?:text\/calendar|text\/x?-?vcard|application\/(?:pgp-signature|pgp-keys|(?:x-)?pkcs7-signature|ics)|message\/(?:delivery-status|disposition-notification))$/;

function isWorthOpening(attachment: Attachment): boolean {
  const isShown = attachment.related || attachment.contentId !== undefined || attachment.disposition === "inline";
  return isPaper(contentOf(attachment), attachment.mimeType, isShown);
}

function isPaper(bytes: Uint8Array, mediaType: string, isShown: boolean): boolean {
  if (neverDocuments.test(mediaType)) return false;
  return !mediaType.startsWith("image/") || !isShown || isPhotograph(bytes);
}

function filesIn(attachment: Attachment, index: number): InputFile[] {
  const bytes = contentOf(attachment);
  if (isTnef(bytes))
    return readTnef(bytes).files.flatMap(({ isShown, ...file }) =>
      isPaper(file.bytes, file.mediaType ?? mediaTypeOf(file), isShown) ? [file] : [],
    );
  const name =
    attachment.filename ??
    (attachment.mimeType === "message/rfc822" ? `mail-${index + 1}.eml` : `attachment-${index + 1}`);
  return [{ name, bytes, mediaType: attachment.mimeType }];
}

/** First bytes of files that no reader opens. Their media type is detected by these bytes if none is declared. */
const beginnings: [begins: string, mediaType: string][] = [
  ["BEGIN:VCALENDAR", "text/calendar"],
  ["BEGIN:VCARD", "text/vcard"],
  ["-----BEGIN PGP SIGNATURE", "application/pgp-signature"],
  ["GIF8", "image/gif"],
];

function mediaTypeOf({ bytes, name }: InputFile): string {
  const head = decodeLatin1(bytes.subarray(0, 30));
  const signature = beginnings.find(([begins]) => head.startsWith(begins));
  if (signature) return signature[1];
  try {
    return sniff(bytes, name).mediaType;
  } catch (cause) {
    if (cause instanceof ExtractionProblem) return "application/octet-stream";
    throw cause;
  }
}

/** Returns the decoded bytes of an attachment. */
export function contentOf({ content }: Attachment): Uint8Array {
  if (typeof content === "string") return new TextEncoder().encode(content);
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}
