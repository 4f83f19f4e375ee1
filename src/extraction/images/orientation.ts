/**
 * Finds the orientation (1 to 8) in an EXIF block, which is a small TIFF file. Returns 1 if its first directory has no
 * orientation.
 */
export function orientationIn(exif: Uint8Array): number {
  const view = new DataView(exif.buffer, exif.byteOffset, exif.byteLength);
  if (exif.length < 14) return 1;
  const mark = view.getUint16(0);
  if (mark !== 0x4949 && mark !== 0x4d4d) return 1;
  const little = mark === 0x4949;
  const directory = view.getUint32(4, little);
  if (directory + 2 > exif.length) return 1;
  const count = view.getUint16(directory, little);
  for (let entry = directory + 2, left = count; left > 0 && entry + 12 <= exif.length; entry += 12, left--) {
    if (view.getUint16(entry, little) !== 0x0112) continue;
    const value = view.getUint16(entry + 8, little);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

const exifMark = "Exif\0\0";

/** Like {@link orientationIn}, but the block may begin with the identifier "Exif", as in JPEG files. */
export const orientationAfterName = (block: Uint8Array): number =>
  orientationIn(String.fromCharCode(...block.subarray(0, 6)) === exifMark ? block.subarray(6) : block);
