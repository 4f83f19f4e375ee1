import { Budget, ExtractionProblem } from "../problem.ts";
import { defaultLimits } from "./limits.ts";
import type { InputFile } from "./reader.ts";
import { checkZip, unzip } from "./zip.ts";

/** Maximum number of files in one zip file. */
const maxFiles = 20;
/** Maximum number of unpacked bytes of all zip files of one mail. */
const maxBytes = 25 * 1024 * 1024;
const budgetMilliseconds = 10_000;

/**
 * Replaces the zip files that are attached to a mail by their contents. A zip file is kept as it is if it is encrypted,
 * damaged, above a limit or inside another zip file. It is refused later, like other unreadable files.
 */
export function unzipAttachments(files: readonly InputFile[]): InputFile[] {
  let left = maxBytes;
  return files.flatMap((file) => {
    const inner = filesIn(file, left);
    left -= inner?.reduce((sum, { bytes }) => sum + bytes.length, 0) ?? 0;
    return inner ?? [file];
  });
}

function filesIn({ bytes }: InputFile, maxUnpacked: number): InputFile[] | undefined {
  if (!isZip(bytes)) return undefined;
  try {
    const entries = checkZip(bytes, { ...defaultLimits, unpackedBytes: maxUnpacked });
    if (entries.some(({ name }) => ofPackages.test(name))) return undefined;
    const wanted = entries.filter(({ name, unpacked: size }) => size > 0 && !ofPrograms.test(name));
    if (wanted.length === 0 || wanted.length > maxFiles) return undefined;
    const context = { limits: defaultLimits, budget: new Budget(budgetMilliseconds) };
    const unpacked = unzip(bytes, wanted, () => true, context);
    return [...unpacked].map(([path, content]) => ({ name: path.split(/[/\\]/).at(-1)!, bytes: content }));
  } catch (cause) {
    if (cause instanceof ExtractionProblem) return undefined;
    throw cause;
  }
}

const isZip = (bytes: Uint8Array) => [0x50, 0x4b, 0x03, 0x04].every((byte, at) => bytes[at] === byte);

/** Names of entries by which documents and programs that are zip files are recognised. */
const ofPackages = /^(?:\[Content_Types\]\.xml|mimetype|content\.xml|(?:word|xl|ppt|META-INF)\/)/;
/** Files that operating systems add to zip files. */
const ofPrograms = /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/;
