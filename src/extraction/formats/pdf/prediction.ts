import { unfiltered } from "../../images/png-filter.ts";

/** How the rows of a stream are written, as what differs from those before or from the pixels before. */
export interface Prediction {
  /** 2 as in TIFF, from 10 on as in PNG. */
  predictor: number;
  columns: number;
  colours: number;
  bits: number;
}

/** Bytes of a row. */
export const rowLength = ({ columns, colours, bits }: Prediction): number => Math.ceil((columns * colours * bits) / 8);

/**
 * What was written so.
 * @throws RangeError where it is written as nothing but a picture is
 */
export function unpredicted(bytes: Uint8Array, prediction: Prediction): Uint8Array {
  const length = rowLength(prediction);
  if (length < 1 || (prediction.predictor < 10 && prediction.bits !== 8)) throw new RangeError("These are pixels.");
  return prediction.predictor < 10 ? asInTiff(bytes, length, prediction.colours) : asInPng(bytes, length, prediction);
}

function asInTiff(bytes: Uint8Array, length: number, colours: number): Uint8Array {
  const plain = new Uint8Array(bytes);
  for (let at = 0; at < plain.length; at++) if (at % length >= colours) plain[at]! += plain[at - colours]!;
  return plain;
}

function asInPng(bytes: Uint8Array, length: number, { colours, bits }: Prediction): Uint8Array {
  const plain = new Uint8Array(bytes.length);
  const step = Math.ceil((colours * bits) / 8);
  let above: Uint8Array = new Uint8Array(length);
  let to = 0;
  for (let from = 0; from < bytes.length; from += length + 1) {
    const row = plain.subarray(to, to + Math.min(length, bytes.length - from - 1));
    row.set(bytes.subarray(from + 1, from + 1 + row.length));
    if (!unfiltered(bytes[from]!, row, above, step)) break;
    above = row;
    to += row.length;
  }
  return plain.subarray(0, to);
}
