import { isDictionary, isList, isName, type Dictionary, type StreamHead, type Value } from "./dictionary.ts";
import type { Prediction } from "./prediction.ts";

/** What the dictionary of a stream says of it, as pdf.js understands that. */

const fullNames: Record<string, string> = {
  Fl: "FlateDecode",
  LZW: "LZWDecode",
  RL: "RunLengthDecode",
  A85: "ASCII85Decode",
  AHx: "ASCIIHexDecode",
  CCF: "CCITTFaxDecode",
  DCT: "DCTDecode",
};

/** What makes pictures of bytes. */
export const codecs = ["DCTDecode", "JPXDecode", "JBIG2Decode", "CCITTFaxDecode"];

const given = (dictionary: Dictionary, keys: readonly string[]): Value =>
  keys.map((key) => dictionary.get(key)).find((placed) => placed !== undefined)?.value;

const filterKeys = ["F", "Filter"];

/** What a value is that may stand elsewhere, where that can be told. */
export type Resolve = (value: Value) => Value | "Uncertain";

/** By which a stream is packed, the outermost first; undefined where that cannot be told for certain. */
export function filtersSaid(dictionary: Dictionary, resolve: Resolve): string[] | undefined {
  const names = valuesOf(resolve(given(dictionary, filterKeys)), resolve);
  return names?.filter(isName).map(({ name }) => fullNames[name] ?? name);
}

/** One or several; undefined where one of them cannot be told. */
function valuesOf(value: Value | "Uncertain", resolve: Resolve): Value[] | undefined {
  if (value === "Uncertain") return undefined;
  const values = (isList(value) ? value : [value]).map(resolve);
  return values.includes("Uncertain") ? undefined : values.filter((each) => each !== "Uncertain");
}

/** Whether it is to be seen: it says so, or has the size of a picture as the small images of pages have. */
export function isPictureSaid(dictionary: Dictionary): boolean {
  const subtype = dictionary.get("Subtype")?.value;
  if (isName(subtype) && subtype.name === "Image") return true;
  return (dictionary.has("Width") || dictionary.has("W")) && (dictionary.has("Height") || dictionary.has("H"));
}

/** How many pixels a picture says it has; undefined where that is not told. */
export function pixelsSaid(dictionary: Dictionary, resolve: Resolve): number | undefined {
  const [width, height] = [resolve(given(dictionary, ["W", "Width"])), resolve(given(dictionary, ["H", "Height"]))];
  return typeof width === "number" && typeof height === "number" ? width * height : undefined;
}

/** Whether it says it is a font, a profile, a file or the like, and nothing that paints. */
export function isOtherSaid(dictionary: Dictionary): boolean {
  const isElse = (key: string, painting: string) => {
    const value = dictionary.get(key)?.value;
    return isName(value) && value.name !== painting;
  };
  return (
    ["Length1", "N", "First"].some((key) => dictionary.has(key)) ||
    isElse("Type", "XObject") ||
    isElse("Subtype", "Form")
  );
}

/** Objects are packed in it. */
export const hasObjects = (dictionary: Dictionary): boolean => dictionary.has("First") && dictionary.has("N");

/** It is a table of where objects stand, which is never enciphered, and holds none. */
export function isTableSaid(dictionary: Dictionary): boolean {
  const type = dictionary.get("Type")?.value;
  return isName(type) && type.name === "XRef" && !dictionary.has("First");
}

/** How long its content is; undefined where that is not told. */
export function lengthSaid(dictionary: Dictionary, resolve: Resolve): number | undefined {
  const length = resolve(dictionary.get("Length")?.value);
  return typeof length === "number" ? length : undefined;
}

/** How the rows of what comes out of it are written, where they are; undefined where that cannot be told. */
export function predictionsSaid(dictionary: Dictionary, resolve: Resolve): Prediction[] | undefined {
  const said = valuesOf(resolve(given(dictionary, ["DP", "DecodeParms"])), resolve);
  const predictions = said?.filter(isDictionary).map((parameters) => ({
    predictor: numberSaid(parameters, ["Predictor"], 1, resolve),
    columns: numberSaid(parameters, ["Columns"], 1, resolve),
    colours: numberSaid(parameters, ["Colors"], 1, resolve),
    bits: numberSaid(parameters, ["BPC", "BitsPerComponent"], 8, resolve),
  }));
  if (predictions?.some((each) => Object.values(each).includes(Number.NaN))) return undefined;
  return predictions?.filter(({ predictor }) => predictor > 1);
}

/** No number where it cannot be told. */
function numberSaid(parameters: Dictionary, keys: readonly string[], usual: number, resolve: Resolve): number {
  const value = resolve(given(parameters, keys));
  if (value === "Uncertain") return Number.NaN;
  return typeof value === "number" ? value || usual : usual;
}

/** In a copy of the file: says of a stream that it is packed in a way that nobody knows, so that nobody unpacks it. */
export function disarm(bytes: Uint8Array, { dictionary }: StreamHead): void {
  for (const { from, to } of filterKeys.flatMap((key) => dictionary.get(key) ?? [])) {
    bytes.fill("X".charCodeAt(0), from, to);
    bytes[from] = "/".charCodeAt(0);
  }
}
