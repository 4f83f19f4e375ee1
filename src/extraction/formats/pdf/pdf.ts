import { getResolvedPDFJS } from "unpdf";
import type { Page, StructuredPart, Token } from "../../document/document.ts";
import { defaultPixelLimits } from "../../images/limits.ts";
import { Budget, ExtractionProblem } from "../../problem.ts";
import { tooManyPages } from "../limits.ts";
import type { ReaderContext, PageOcr, FileSource, InputFile, Reader } from "../reader.ts";
import { tooManyWords } from "../page-builder.ts";
import { filledFields, formPart, writeFields } from "./fields.ts";
import type { Matrix } from "./geometry.ts";
import { pageFrom, type PaintedPage } from "./page.ts";
import { Painter, type Painted } from "./painter.ts";
import { storeInGrey, type PdfStore } from "./grey-store.ts";
import { DecodeLimits, loadWithin } from "./decompression-guard.ts";
import { scanOf } from "./scan.ts";
import { ImageStreams } from "./image-streams.ts";
import type { Font } from "./graphics-state.ts";

type PdfJs = Awaited<ReturnType<typeof getResolvedPDFJS>>;
type PdfDocument = Awaited<ReturnType<PdfJs["getDocument"]>["promise"]>;
type PdfPage = Awaited<ReturnType<PdfDocument["getPage"]>>;

/** Maximum size, in pixels, of a picture that pdf.js decodes. A pixel takes four bytes. */
const maxPicturePixels = defaultPixelLimits.memory / 4;
/** A page with a map has several hundred thousand drawing operators. */
const maxOperators = 1_000_000;
const passwordCheckMilliseconds = 5000;

export const readPdf: Reader = async (file, context) => {
  const versions = new PdfVersions(file, context.budget);
  try {
    const { numPages } = await versions.first();
    if (numPages > context.limits.pages) throw tooManyPages(context.limits.pages);
    const pages: Page[] = [];
    const structured: StructuredPart[] = [];
    let words = 0;
    const { from, to } = context.limits.only ?? { from: 1, to: numPages };
    for (let number = from; number <= Math.min(to, numPages); number++) {
      await context.budget.pause();
      const page = await readPageAsNeeded(versions, number, context);
      const source = await (await versions.first()).getPage(number);
      const fields = filledFields(await source.getAnnotations());
      writeFields(page, fields, baseOf(source));
      structured.push(...formPart(file.name, fields));
      pages.push(page);
      words += page.tokens.length;
      if (words > context.limits.words) throw tooManyWords(context);
    }
    return { pages, structured, embedded: await embeddedFiles(await versions.first(), context) };
  } finally {
    await versions.close();
  }
};

/**
 * Files above this size are held in memory only once: the versions with and without pictures are not open at the same
 * time, and pictures are read from storage.
 */
const largeBytes = 4 * 1024 * 1024;

/**
 * Opens a PDF without decoding its pictures and, as soon as a page needs them, again with pictures. The first version
 * is closed once a page is a scan or, in a large file, once a page needs its pictures.
 */
class PdfVersions {
  private readonly file: InputFile;
  private readonly source: FileSource | undefined;
  private readonly isLarge: boolean;
  private readonly budget: Budget;
  private quickly: Promise<PdfDocument> | undefined;
  private closely: Promise<PdfDocument> | undefined;
  private pictures: ImageStreams | undefined;
  alwaysWithPictures = false;

  constructor(file: InputFile, budget: Budget) {
    this.file = file;
    this.isLarge = file.bytes.length > largeBytes;
    this.source = this.isLarge ? file.source : undefined;
    this.budget = budget;
  }

  /** Opens the version in which a page is analysed first. */
  first(): Promise<PdfDocument> {
    return this.alwaysWithPictures ? this.withPictures() : (this.quickly ??= this.openQuickly());
  }

  async stayWithPictures(): Promise<void> {
    this.alwaysWithPictures = true;
    const quick = await this.quickly;
    this.quickly = undefined;
    await quick?.loadingTask.destroy();
  }

  withPictures(): Promise<PdfDocument> {
    return (this.closely ??= this.openClosely());
  }

  /** The scanned pictures that pdf.js does not decode. Undefined until the version with pictures is open. */
  get streams(): ImageStreams | undefined {
    return this.pictures;
  }

  async close(): Promise<void> {
    for (const opened of await Promise.allSettled([this.quickly, this.closely])) {
      if (opened.status === "fulfilled") await opened.value?.loadingTask.destroy();
    }
  }

  private openQuickly(): Promise<PdfDocument> {
    const { bytes } = this.file;
    return load(this.source ? bytes : new Uint8Array(bytes), 1, this.budget);
  }

  private async openClosely(): Promise<PdfDocument> {
    if (this.isLarge) await this.stayWithPictures();
    const bytes = this.source ? await this.source.readAll() : this.file.bytes;
    this.pictures = new ImageStreams(bytes, this.budget, this.source);
    return load(this.pictures.rest, maxPicturePixels, this.budget);
  }
}

async function readPageAsNeeded(versions: PdfVersions, number: number, context: ReaderContext): Promise<Page> {
  if (!versions.alwaysWithPictures) {
    const { doubtful, ...page } = await readPage(await versions.first(), number, context);
    if (!doubtful) return page;
  }
  const { doubtful: _, ...page } = await readPage(await versions.withPictures(), number, context, versions.streams);
  const isScan = page.scanned || page.tokens.some(({ source }) => source === "Ocr");
  if (isScan && !versions.alwaysWithPictures) await versions.stayWithPictures();
  return page;
}

/**
 * Checks whether a PDF can be opened without a password.
 * @throws ExtractionProblem `file_encrypted` if it cannot
 */
export async function requireNoPassword(bytes: Uint8Array): Promise<void> {
  try {
    const pdf = await load(new Uint8Array(bytes), 1, new Budget(passwordCheckMilliseconds));
    await pdf.loadingTask.destroy();
  } catch (problem) {
    if (problem instanceof ExtractionProblem && problem.reason === "file_encrypted") throw problem;
  }
}

const limitsOf = new WeakMap<PdfDocument, DecodeLimits>();

/**
 * Opens a PDF with pdf.js.
 * @param bytes the PDF. The array is transferred to pdf.js and is empty afterwards.
 */
async function load(bytes: Uint8Array, maxImageSize: number, budget: Budget): Promise<PdfDocument> {
  const limits = new DecodeLimits(maxImageSize, budget);
  const task = await loadWithin(limits, { data: bytes, maxImageSize, verbosity: 0, useSystemFonts: true });
  try {
    const pdf = await task.promise;
    limits.check();
    limitsOf.set(pdf, limits);
    return pdf;
  } catch (cause) {
    await task.destroy();
    limits.check();
    if (cause instanceof Error && cause.name === "PasswordException") {
      throw new ExtractionProblem("file_encrypted", "The PDF is protected by a password.");
    }
    throw new ExtractionProblem("file_corrupted", "The PDF is damaged and cannot be read.");
  }
}

async function readPage(
  pdf: PdfDocument,
  number: number,
  context: ReaderContext,
  streams?: ImageStreams,
): Promise<PaintedPage> {
  const page = await pdf.getPage(number);
  const { width, height } = page.getViewport({ scale: 1 });
  const stores = [page.objs, page.commonObjs].map((store) => storeInGrey(store as unknown as PdfStore));
  try {
    const painted = await paint(pdf, page, context);
    limitsOf.get(pdf)?.check();
    const read = pageFrom(painted, width, height);
    const { pictures } = painted;
    if (!read.scanned || !streams || !context.ocr) return read;
    const scan = await scanOf({ pictures, streams, stores, width, height }, context.budget).catch(
      skipWith(context.ocr),
    );
    const seen = scan && (await context.ocr.readPlaced(scan, { width, height }));
    return seen ? { ...seen, tokens: withPrinted(seen.tokens, read.tokens), doubtful: false } : read;
  } finally {
    page.cleanup();
  }
}

/** A page with a damaged picture counts as not recognised. The other pages are recognised. */
const skipWith =
  (ocr: PageOcr) =>
  (cause: unknown): undefined => {
    if (!(cause instanceof ExtractionProblem) || cause.reason === "engine_timeout") throw cause;
    ocr.skip(cause.message);
  };

/** Adds printed words to the words from OCR, at places where OCR found nothing. */
function withPrinted(read: readonly Token[], printed: readonly Token[]): Token[] {
  const isRead = ({ x0, y0, x1, y1 }: Token) => {
    const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
    return read.some((token) => token.x0 <= x && token.x1 >= x && token.y0 <= y && token.y1 >= y);
  };
  return [...read, ...printed.filter((token) => !isRead(token))];
}

async function paint(pdf: PdfDocument, page: PdfPage, context: ReaderContext): Promise<Painted> {
  const { OPS } = await getResolvedPDFJS();
  const { width, height } = page.getViewport({ scale: 1 });
  const layers = await pdf.getOptionalContentConfig();
  const operators = await operatorsOf(page, context.budget);
  const painter = new Painter({
    base: baseOf(page),
    width,
    height,
    font: (id) => fontOf(page, id),
    layerVisible: (properties) => layers.isVisible(properties),
    paintOps: paintOpsOf(OPS),
  });
  const methods = methodsByOperator(OPS);
  const strokes = painter as unknown as Record<string, (...args: unknown[]) => void>;
  operators.fnArray.forEach((operator, index) => {
    if (index % 2000 === 0) context.budget.check();
    const method = methods[operator];
    if (method) strokes[method]?.(...((operators.argsArray[index] as unknown[] | null) ?? []));
  });
  return painter.painted;
}

/** The method of a pdf.js page that receives the drawing operators, in chunks. */
interface Piecewise {
  _renderPageChunk(chunk: { length: number }, state: unknown): void;
}

/** Loads the drawing operators of a page. Rejects if there are too many for the memory of an isolate. */
async function operatorsOf(page: PdfPage, budget: Budget): Promise<Awaited<ReturnType<PdfPage["getOperatorList"]>>> {
  const pieces = page as unknown as Piecewise;
  const take = pieces._renderPageChunk.bind(page);
  let count = 0;
  const ended = Promise.withResolvers<never>();
  pieces._renderPageChunk = (chunk, state) => {
    count += chunk.length;
    try {
      budget.check();
      if (count > maxOperators) throw tooMuchToPaint();
      take(chunk, state);
    } catch (cause) {
      ended.reject(cause);
    }
  };
  return Promise.race([page.getOperatorList(), ended.promise]);
}

const tooMuchToPaint = () =>
  new ExtractionProblem(
    "file_corrupted",
    "A page of the PDF has more graphics than can be processed. Send it as a scan.",
  );

function baseOf(page: PdfPage): Matrix {
  return page.getViewport({ scale: 1 }).transform as unknown as Matrix;
}

function fontOf(page: PdfPage, id: string): Font | undefined {
  return page.commonObjs.has(id) ? (page.commonObjs.get(id) as Font) : undefined;
}

function methodsByOperator(ops: PdfJs["OPS"]): string[] {
  const supported = new Set(Object.getOwnPropertyNames(Painter.prototype));
  const methods: string[] = [];
  for (const [name, operator] of Object.entries(ops)) if (supported.has(name)) methods[operator] = name;
  return methods;
}

function paintOpsOf(ops: PdfJs["OPS"]): { fills: Set<number>; strokes: Set<number> } {
  const both = [ops.fillStroke, ops.eoFillStroke, ops.closeFillStroke, ops.closeEOFillStroke];
  return {
    fills: new Set([ops.fill, ops.eoFill, ...both]),
    strokes: new Set([ops.stroke, ops.closeStroke, ...both]),
  };
}

async function embeddedFiles(pdf: PdfDocument, context: ReaderContext): Promise<InputFile[]> {
  const listed = await pdf.getAttachments();
  const files: InputFile[] = [];
  for (const [id, { filename }] of [...(listed ?? [])].slice(0, context.limits.attachments)) {
    context.budget.check();
    const content: unknown = await pdf.getAttachmentContent(id);
    if (content instanceof Uint8Array) files.push({ bytes: content, name: filename || id });
  }
  return files;
}
