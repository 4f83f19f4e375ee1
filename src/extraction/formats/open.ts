import type { Format, OpenedDocument, Page, Part, StructuredPart } from "../document/document.ts";
import { RecogniserFault } from "../images/recogniser.ts";
import { ExtractionProblem, SourceFault, type Budget } from "../problem.ts";
import { requirePicture } from "./image.ts";
import { defaultLimits, tooManyPages, type OpenLimits } from "./limits.ts";
import { isEncrypted } from "./pdf/syntax.ts";
import { requireNoPassword } from "./pdf/pdf.ts";
import type { ReaderContext, PageOcr, InputFile, ReaderOutput } from "./reader.ts";
import { readers } from "./readers.ts";
import { isContainer, sniff, type SniffedFormat } from "./sniff.ts";
import { tooManyWords } from "./page-builder.ts";
import { checkZip } from "./zip.ts";

export { isContainer, sniff, type SniffedFormat } from "./sniff.ts";
export { defaultLimits, type OpenLimits } from "./limits.ts";
export { isEncrypted } from "./pdf/syntax.ts";

/**
 * Opens a file of any supported format as pages of words. Attachments of mails and files embedded in PDFs are also
 * opened; if one of them cannot be opened, this causes a warning, not a failure.
 * @throws ExtractionProblem, or, if OCR is used, RecogniserFault
 */
export async function openDocument(
  file: InputFile,
  limits: OpenLimits,
  budget: Budget,
  ocr?: PageOcr,
): Promise<OpenedDocument> {
  const context = { limits, budget, ocr };
  const kind = sniff(file.bytes, file.name);
  const top = await read(file, kind, context);
  const document: OpenedDocument = { ...kind, parts: [], structured: [], warnings: [] };
  if (top.mail) document.mail = top.mail;
  const pile = new DocumentBuilder(document, context);
  pile.add(top, file.name, kind.format, kind.format === "Eml" || kind.format === "Msg" ? "Body" : "File");
  await openEnclosed(pile, top, kind.format);
  return document;
}

/**
 * Validates an upload quickly, while the client waits for the response.
 * @throws ExtractionProblem `file_empty`, `file_encrypted`, `unsupported_file_type`, `file_unreadable`
 */
export async function validateUpload(bytes: Uint8Array, name = ""): Promise<SniffedFormat> {
  const kind = sniff(bytes, name);
  await validators[kind.format]?.(bytes);
  return kind;
}

/**
 * Validates a file, other than an encrypted PDF, by its first 64 KiB. Returns undefined if the whole file is needed.
 * @throws ExtractionProblem with the same reasons as {@link validateUpload}
 */
export function validateHead(head: Uint8Array, name = ""): SniffedFormat | undefined {
  if (isContainer(head)) return undefined;
  const kind = sniff(head, name);
  if (kind.format !== "Image") return kind;
  try {
    requirePicture(head, defaultLimits);
    return kind;
  } catch {
    return undefined;
  }
}

/** Quick checks, which do not decode pages or unpack entries. */
const validators: Partial<Record<Format, (bytes: Uint8Array) => unknown>> = {
  Pdf: (bytes) => isEncrypted(bytes) && requireNoPassword(bytes),
  Image: (bytes) => requirePicture(bytes, defaultLimits),
  Docx: (bytes) => checkZip(bytes, defaultLimits),
  Xlsx: (bytes) => checkZip(bytes, defaultLimits),
  Ods: (bytes) => checkZip(bytes, defaultLimits),
};

async function read(file: InputFile, { format }: SniffedFormat, context: ReaderContext): Promise<ReaderOutput> {
  context.budget.check();
  try {
    return await readers[format](file, context);
  } catch (cause) {
    if (isKnown(cause)) throw cause;
    throw new ExtractionProblem("file_corrupted", "The file is damaged and cannot be read.");
  }
}

const isKnown = (cause: unknown): boolean =>
  cause instanceof ExtractionProblem || cause instanceof RecogniserFault || cause instanceof SourceFault;

interface PendingFile {
  file: InputFile;
  parent: Format;
  depth: number;
}

/** Opens enclosed files up to the limits. Files inside an enclosed file are opened before the files that follow it. */
async function openEnclosed(pile: DocumentBuilder, top: ReaderOutput, format: Format): Promise<void> {
  const { document, context } = pile;
  const { limits } = context;
  let waiting: PendingFile[] = (top.embedded ?? []).map((file) => ({ file, parent: format, depth: 1 }));
  let opened = 0;
  let bytes = 0;
  let left = 0;
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { file, parent, depth } = next;
    bytes += file.bytes.length;
    if (depth > limits.depth || opened >= limits.attachments || bytes > limits.unpackedBytes) {
      left++;
      continue;
    }
    opened++;
    const enclosed = await readEnclosed(file, context, document.warnings);
    if (!enclosed) continue;
    if (parent === "Pdf" && enclosed.kind.format === "Xml")
      document.structured.push(...(enclosed.opened.structured ?? []));
    else pile.add(enclosed.opened, file.name, enclosed.kind.format, "Attachment");
    const inner = enclosed.opened.embedded ?? [];
    waiting = [...inner.map((each) => ({ file: each, parent: enclosed.kind.format, depth: depth + 1 })), ...waiting];
  }
  if (left > 0) document.warnings.push(`Attachments beyond the limit were not read: ${left}.`);
}

async function readEnclosed(
  file: InputFile,
  context: ReaderContext,
  warnings: string[],
): Promise<{ kind: SniffedFormat; opened: ReaderOutput } | undefined> {
  try {
    const kind = sniff(file.bytes, file.name);
    return { kind, opened: await read(file, kind, context) };
  } catch (cause) {
    if (!(cause instanceof ExtractionProblem) || cause.reason === "engine_timeout") throw cause;
    warnings.push(`Attachment ${file.name} was not read: ${cause.message}`);
    return undefined;
  }
}

class DocumentBuilder {
  readonly document: OpenedDocument;
  readonly context: ReaderContext;

  constructor(document: OpenedDocument, context: ReaderContext) {
    this.document = document;
    this.context = context;
  }

  add(opened: ReaderOutput, name: string, format: Format, role: Part["role"]): void {
    const { parts, structured, warnings } = this.document;
    parts.push({ role, name, format, pages: opened.pages, quoted: false });
    if (opened.quoted?.length) parts.push({ role, name, format, pages: opened.quoted, quoted: true });
    structured.push(...((opened.structured ?? []) satisfies StructuredPart[]));
    warnings.push(...(opened.warnings ?? []));
    this.count();
  }

  private count(): void {
    const { limits } = this.context;
    const pages: Page[] = this.document.parts.flatMap((part) => part.pages);
    if (pages.length > limits.pages) throw tooManyPages(limits.pages);
    if (pages.reduce((sum, page) => sum + page.tokens.length, 0) > limits.words) throw tooManyWords(this.context);
  }
}
