import type { Page } from "../document/document.ts";
import { countReadable } from "./clean-text.ts";
import { isPhotograph } from "./image.ts";
import type { InputFile, ReaderContext } from "./reader.ts";
import { checkZip, unzip, type ZipEntry } from "./zip.ts";
import { defaultLimits } from "./limits.ts";
import { Budget, ExtractionProblem } from "../problem.ts";

/** An office document with fewer letters and digits may be just a scan. */
const fewLetters = 200;

/** Finds the pictures that are large enough to be photographs or scans, if the office document has hardly any text. */
export function embeddedPictures(
  bytes: Uint8Array,
  entries: ZipEntry[],
  pages: Page[],
  context: ReaderContext,
): InputFile[] {
  const letters = pages.reduce(
    (sum, page) => sum + page.tokens.reduce((all, token) => all + countReadable(token.text), 0),
    0,
  );
  return letters >= fewLetters ? [] : largePictures(bytes, entries, context);
}

function largePictures(bytes: Uint8Array, entries: ZipEntry[], context: ReaderContext): InputFile[] {
  const pictures = unzip(
    bytes,
    entries,
    (name) => /(?:^|\/)(?:media|Pictures)\/[^/]+\.(?:jpe?g|png|tiff?|webp)$/i.test(name),
    context,
  );
  return [...pictures]
    .filter(([, content]) => isPhotograph(content))
    .slice(0, context.limits.attachments)
    .map(([name, content]) => ({ name: name.replace(/^.*\//, ""), bytes: content }));
}

const milliseconds = 10_000;

/** Finds the photographs and scans in an office document, in file order. Returns none for other files. */
export function imagesIn(bytes: Uint8Array): InputFile[] {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return [];
  try {
    return largePictures(bytes, checkZip(bytes, defaultLimits), {
      limits: defaultLimits,
      budget: new Budget(milliseconds),
    });
  } catch (cause) {
    if (cause instanceof ExtractionProblem) return [];
    throw cause;
  }
}
