import msgReaderModule, { type FieldsData } from "@kenjiuno/msgreader";
import type { MailHead } from "../document/document.ts";
import { ExtractionProblem } from "../problem.ts";
import { compoundKind } from "./compound.ts";
import { decode } from "./encoding.ts";
import { isPhotograph } from "./image.ts";
import { mailbox, readHead, layOutBody } from "./mail.ts";
import { unzipAttachments } from "./zip-attachments.ts";
import type { ReaderContext, InputFile, ReaderOutput, Reader } from "./reader.ts";
import { htmlInRtf, richText } from "./rtf-html.ts";
import { rtfBlocks } from "./rtf.ts";
import { separateQuotes } from "./quotes.ts";
import { layOutBlocks } from "./table-layout.ts";

/** Node.js imports the module object, bundlers import the class. */
const MsgReader = ("default" in msgReaderModule ? msgReaderModule.default : msgReaderModule) as typeof msgReaderModule;
type Message = InstanceType<typeof msgReaderModule>;

export const readOutlook: Reader = (file, context) => {
  // The sector chains are validated first, because the library would hang on a circular chain.
  compoundKind(file.bytes);
  const { message, fields } = parse(file.bytes);
  return { ...bodyOf(fields, context), mail: headOf(fields), ...attachmentsIn(message, fields) };
};

function parse(bytes: Uint8Array, ansiEncoding?: string): { message: Message; fields: FieldsData } {
  const message = new MsgReader(new Uint8Array(bytes).buffer);
  if (ansiEncoding) message.parserConfig = { ansiEncoding };
  const fields = message.getFileData();
  if (fields.error || fields.dataType !== "msg")
    throw new ExtractionProblem("file_corrupted", "The Outlook message is damaged.");
  // Messages from before 2003 declare their code page, or only their language, in fields of the message.
  const page = fields.messageCodepage ?? languageCodePages[(fields.messageLocaleId ?? 0) & 0x3ff] ?? 1252;
  const isSupported = page === 932 || (page >= 1250 && page <= 1258);
  return ansiEncoding === undefined && isSupported && page !== 1252 ? parse(bytes, `cp${page}`) : { message, fields };
}

/**
 * Windows code page of each language, by its primary language number: Central European, Cyrillic, Greek, Turkish,
 * Baltic and Japanese.
 */
const languageCodePages: Record<number, number> = {
  0x05: 1250,
  0x0e: 1250,
  0x15: 1250,
  0x18: 1250,
  0x1a: 1250,
  0x1b: 1250,
  0x24: 1250,
  0x02: 1251,
  0x19: 1251,
  0x22: 1251,
  0x23: 1251,
  0x08: 1253,
  0x1f: 1254,
  0x25: 1257,
  0x26: 1257,
  0x27: 1257,
  0x11: 932,
};

function bodyOf(fields: FieldsData, context: ReaderContext): Pick<ReaderOutput, "pages" | "quoted"> {
  const html = fields.bodyHtml ?? (fields.html ? decode(fields.html, codePage(fields.internetCodepage)) : undefined);
  if (html) return layOutBody({ html, text: fields.body }, context);
  const rtf = richText(fields.compressedRtf);
  const inRtf = rtf && htmlInRtf(rtf, context);
  if (inRtf) return layOutBody({ html: inRtf, text: fields.body }, context);
  if (fields.body?.trim() || !rtf) return layOutBody({ text: fields.body }, context);
  const { own, quoted } = separateQuotes(rtfBlocks(rtf, context));
  return { pages: layOutBlocks(own, context), ...(quoted.length > 0 && { quoted: layOutBlocks(quoted, context) }) };
}

function codePage(number: number | undefined): string | undefined {
  if (number === undefined || number === 65001) return undefined;
  return number >= 28591 && number <= 28606 ? `iso-8859-${number - 28590}` : `windows-${number}`;
}

function headOf(fields: FieldsData): MailHead {
  const address = [
    fields.senderSmtpAddress,
    fields.sentRepresentingSmtpAddress,
    fields.creatorSMTPAddress,
    fields.senderEmail,
  ].find(isAddress);
  const from = fields.senderName || address ? mailbox(fields.senderName, address) : undefined;
  const to = (fields.recipients ?? [])
    .filter((recipient) => recipient.recipType === "to" || recipient.recipType === undefined)
    .slice(0, 100)
    .map((recipient) => mailbox(recipient.name, [recipient.smtpAddress, recipient.email].find(isAddress)));
  return readHead(
    fields.subject,
    from,
    to,
    fields.clientSubmitTime ?? fields.messageDeliveryTime ?? fields.creationTime,
  );
}

/**
 * Whether a text is a mail address. For senders and recipients in the same organisation, Outlook stores directory paths
 * instead.
 */
function isAddress(text: string | undefined): text is string {
  return text !== undefined && /^[^\s@/]+@[^\s@]+$/.test(text);
}

function attachmentsIn(message: Message, fields: FieldsData): Pick<ReaderOutput, "embedded" | "warnings"> {
  const enclosed: InputFile[] = [];
  const warnings: string[] = [];
  (fields.attachments ?? []).forEach((attachment, index) => {
    const nested = attachment.innerMsgContent === true;
    const name =
      attachment.fileName ||
      attachment.name ||
      attachment.fileNameShort ||
      `${nested ? "mail" : "attachment"}-${index + 1}`;
    try {
      const bytes = message.getAttachment(attachment).content;
      const shown = attachment.pidContentId !== undefined || attachment.attachmentHidden === true;
      const picture = /\.(?:png|jpe?g|gif|bmp|emf|wmf|svg)$/i.test(name);
      if (!(shown && picture) || isPhotograph(bytes))
        enclosed.push({ name: nested && !/\.msg$/i.test(name) ? `${name}.msg` : name, bytes });
    } catch {
      warnings.push(`Attachment ${name} was not read: it is damaged.`);
    }
  });
  return { embedded: unzipAttachments(enclosed), warnings };
}
