import { Budget, ExtractionProblem } from "../problem.ts";
import { defaultLimits } from "./limits.ts";
import type { InputFile } from "./reader.ts";
import { checkZip, unzip } from "./zip.ts";

/** Files of one zip. */
const maxFiles = 20;
/** Bytes of all zips of one mail, unpacked. */
const maxBytes = 25 * 1024 * 1024;
const budgetMilliseconds = 10_000;

/**
 * The files of a mail, with those of its zips instead of these, each as if it had come by itself. A zip that has a password,
 * is damaged, or has more in it than is taken stays what it is, and is refused like any file that cannot be read; so is one
 * within a zip.
 */
export function unzipAttachments(files: readonly InputFile[]): InputFile[] {
  let left = maxBytes;
  return files.flatMap((file) => {
    const inner = filesIn(file, left);
    left -= inner?.reduce((sum, { bytes }) => sum + bytes.length, 0) ?? 0;
    return inner ?? [file];
  });
}

/** Undefined of what is no zip, or stays as it is. */
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

/** What documents and programs have in them that are kept as a zip. */
const ofPackages = /^(?:\[Content_Types\]\.xml|mimetype|content\.xml|(?:word|xl|ppt|META-INF)\/)/;
/** What programs put in beside the files. */
const ofPrograms = /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/;
