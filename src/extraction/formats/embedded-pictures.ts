import type { Page } from "../document/document.ts";
import { countReadable } from "./clean-text.ts";
import { isPhotograph } from "./image.ts";
import type { ReaderContext, InputFile } from "./reader.ts";
import { unzip, type ZipEntry } from "./zip.ts";

/** An office document with less text than this may be nothing but a frame around a scan. */
const fewLetters = 200;

/** The large pictures of an office document that has hardly any text of its own. */
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

/** The large pictures of an office document. */
export function largePictures(bytes: Uint8Array, entries: ZipEntry[], context: ReaderContext): InputFile[] {
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
