import { getResolvedPDFJS } from "unpdf";
import { jpegHead } from "../../images/jpeg.ts";
import { ExtractionProblem, type Budget } from "../../problem.ts";
import { indexOfWord } from "../../document/bytes.ts";

/**
 * Limits the data that pdf.js decompresses, so that a small file cannot fill the memory of an isolate. pdf.js decodes
 * each stream as a whole, without a limit, and does not export its decoders. The construction of its first parser is
 * therefore intercepted, and the decoders are reached through this parser.
 */

const mebibyte = 1024 * 1024;
/**
 * Maximum buffer sizes: of a content stream, of another stream (font, file, object stream), and of all streams of a
 * file together. Buffers double in size as they grow.
 */
const [maxContentBytes, maxOtherBytes, maxTotalBytes] = [16 * mebibyte, 64 * mebibyte, 400 * mebibyte];
/**
 * Maximum bytes of a pixel (four samples of 16 bits), and bytes by which the data of an image may exceed its pixels.
 */
const [bytesPerPixel, imageSlackBytes] = [8, mebibyte];

interface Dictionary {
  objId?: string;
  has: (key: string) => boolean;
  get: (...keys: string[]) => unknown;
}

/** A stream of pdf.js that decodes another stream into its buffer. */
interface Decoder {
  dict?: Dictionary | null;
  stream: Decoder;
  streams?: Decoder[];
  buffer: Uint8Array;
  minBufferLength: number;
  bytes: Uint8Array;
  ensureBuffer: (length: number) => Uint8Array;
  getBytes: () => Uint8Array;
  reset: () => void;
  decodeImage: (bytes?: Uint8Array) => unknown;
  asyncGetBytesFromDecompressionStream: (format: string) => Promise<{ decompressed: null; compressed: Uint8Array }>;
}

interface Parser {
  xref: { pdfManager?: { docId: string } } | null;
  makeFilter: (stream: Decoder, filter: string, ...rest: unknown[]) => Decoder;
}

const tooLarge = () =>
  new ExtractionProblem("file_corrupted", "The PDF decompresses to more data than can be processed.");

/** The limits of one open document. The first error is recorded, because pdf.js continues when a decoder throws. */
export class DecodeLimits {
  private readonly maxImagePixels: number;
  private readonly budget: Budget;
  private readonly capacities = new Map<string, number>();
  private total = 0;
  private problem: Error | undefined;

  constructor(maxImagePixels: number, budget: Budget) {
    this.maxImagePixels = maxImagePixels;
    this.budget = budget;
  }

  /**
   * Checks whether a decoder was stopped.
   * @throws ExtractionProblem `file_corrupted` or `engine_timeout` if so
   */
  check(): void {
    if (!isBounded) throw new Error("The decoders of this version of pdf.js cannot be bounded.");
    if (this.problem) throw this.problem;
  }

  /** Records the error of this document, and throws it. All later decoders also throw it. */
  fail(problem: Error): never {
    this.problem ??= problem;
    throw this.problem;
  }

  /**
   * Checks the length of a stream. If an image has too many pixels, pdf.js leaves it out. Any other data above its
   * limit ends the extraction from the document.
   * @param length requested length
   * @param capacity size of the buffer that would be allocated
   */
  requireWithin(dictionary: Dictionary | undefined, length: number, capacity: number): void {
    this.check();
    try {
      this.budget.check();
    } catch (cause) {
      this.fail(cause as Error);
    }
    if (dictionary && isImage(dictionary)) return this.requireImageLength(pixelsOf(dictionary), length);
    const id = dictionary?.objId ?? "";
    const before = this.capacities.get(id) ?? 0;
    this.capacities.set(id, Math.max(before, capacity));
    this.total += Math.max(0, capacity - before);
    const max = dictionary && isContent(dictionary) ? maxContentBytes : maxOtherBytes;
    if (capacity > max || this.total > maxTotalBytes) this.fail(tooLarge());
  }

  private requireImageLength(pixels: number, length: number): void {
    if (pixels > this.maxImagePixels) throw tooLarge();
    if (length > pixels * bytesPerPixel + imageSlackBytes) this.fail(tooLarge());
  }

  requireJpeg(bytes: Uint8Array): void {
    const start = indexOfWord(bytes, "\xff\xd8", 0);
    const head = start < 0 ? undefined : jpegHead(bytes.subarray(start));
    if (start >= 0 && (head?.width ?? Infinity) * (head?.height ?? Infinity) > this.maxImagePixels) throw tooLarge();
  }
}

const documents = new Map<string, DecodeLimits>();
const limitsOf = new WeakMap<Decoder, DecodeLimits>();

type PdfJs = Awaited<ReturnType<typeof getResolvedPDFJS>>;
type Source = NonNullable<Parameters<PdfJs["getDocument"]>[0]> & object;

/** Starts to load a document, and limits what is decoded from it. */
export async function loadWithin(limits: DecodeLimits, source: Source): Promise<ReturnType<PdfJs["getDocument"]>> {
  const { getDocument } = await getResolvedPDFJS();
  interceptParser();
  const task = getDocument(source);
  documents.set(task.docId, limits);
  const destroy = task.destroy.bind(task);
  task.destroy = async () => {
    documents.delete(task.docId);
    await destroy();
  };
  return task;
}

let isIntercepted = false;

/** Intercepts the construction of the first parser. Its constructor sets a property that no other object has. */
function interceptParser(): void {
  if (isIntercepted) return;
  isIntercepted = true;
  const property = "_imageId";
  // oxlint-disable-next-line no-extend-native -- removed when the first parser is constructed, milliseconds later
  Object.defineProperty(Object.prototype, property, {
    configurable: true,
    set(this: Parser, value: number) {
      delete (Object.prototype as Record<string, unknown>)[property];
      Object.defineProperty(this, property, { value, writable: true, configurable: true, enumerable: true });
      boundFilters(Object.getPrototypeOf(this) as Parser);
    },
  });
}

let isBounded = false;

function boundFilters(parser: Parser): void {
  isBounded = true;
  const { makeFilter } = parser;
  parser.makeFilter = function bounded(stream, filter, ...rest) {
    const limits = documents.get(this.xref?.pdfManager?.docId.split("_")[0] ?? "");
    const dictionary = stream.dict;
    if (!limits || !dictionary) throw tooLarge();
    // pdf.js decodes Brotli in one step, without a growing buffer whose size could be checked.
    if (filter === "BrotliDecode") limits.fail(tooLarge());
    if (imageFilters.has(filter) && !isImage(dictionary)) limits.fail(tooLarge());
    const decoder = makeFilter.call(this, stream, filter, ...rest);
    if (decoder === stream) return decoder;
    for (let each = decoder; each !== stream && each; each = each.stream) limitsOf.set(each, limits);
    boundBuffers(decoder);
    if (filter === "DCT" || filter === "DCTDecode") boundJpeg(decoder, limits);
    return decoder;
  };
}

const imageFilters = new Set(["DCT", "DCTDecode", "JPXDecode", "JBIG2Decode", "CCF", "CCITTFaxDecode"]);

let areBuffersBounded = false;

/** Limits the buffers of the class that all decoders extend. */
function boundBuffers(decoder: Decoder): void {
  if (areBuffersBounded) return;
  let base = decoder;
  while (!Object.hasOwn(base, "asyncGetBytesFromDecompressionStream")) base = Object.getPrototypeOf(base) as Decoder;
  const { ensureBuffer } = base;
  base.ensureBuffer = function bounded(length) {
    if (length <= this.buffer.byteLength) return this.buffer;
    // The decoder that joins the content streams of a page has no dictionary, but it lists the streams that remain.
    const limits = limitsOf.get(this) ?? this.streams?.map((each) => limitsOf.get(each)).find(Boolean);
    const capacity = Math.max(this.minBufferLength, 2 ** Math.ceil(Math.log2(length)));
    if (limits) limits.requireWithin(this.dict ?? undefined, length, capacity);
    else if (length > maxOtherBytes) throw tooLarge();
    return ensureBuffer.call(this, length);
  };
  // The platform's decompressor has no limit. Without a result from it, pdf.js decodes into its own buffer.
  base.asyncGetBytesFromDecompressionStream = function bounded() {
    this.stream.reset();
    return Promise.resolve({ decompressed: null, compressed: this.stream.getBytes() });
  };
  areBuffersBounded = true;
}

function boundJpeg(decoder: Decoder, limits: DecodeLimits): void {
  const { decodeImage } = decoder;
  if (!decodeImage) return;
  decoder.decodeImage = function bounded(bytes) {
    limits.requireJpeg(bytes ?? this.bytes);
    return decodeImage.call(this, bytes);
  };
}

/** Inline images have no subtype, but a width and a height. */
function isImage(dictionary: Dictionary): boolean {
  if (nameOf(dictionary.get("Subtype")) === "Image") return true;
  return (dictionary.has("Width") || dictionary.has("W")) && (dictionary.has("Height") || dictionary.has("H"));
}

function pixelsOf(dictionary: Dictionary): number {
  const pixels = Number(dictionary.get("W", "Width")) * Number(dictionary.get("H", "Height"));
  return Number.isFinite(pixels) ? pixels : 0;
}

/** Whether a stream contains drawing operators. Fonts, profiles and files do not. */
function isContent(dictionary: Dictionary): boolean {
  const [type, subtype] = [nameOf(dictionary.get("Type")), nameOf(dictionary.get("Subtype"))];
  const isOther = ["Length1", "N", "First"].some((key) => dictionary.has(key));
  return !isOther && (type ?? "XObject") === "XObject" && (subtype ?? "Form") === "Form";
}

function nameOf(value: unknown): string | undefined {
  return typeof value === "object" && value !== null && "name" in value ? String(value.name) : undefined;
}
