import { Buffer } from "node:buffer";

/**
 * A file in Outlook's TNEF format. Its full name is in a property; the attribute for the name only has a short name.
 */
interface Packed {
  name: string;
  bytes: Uint8Array;
  /** Whether the file is shown in the body of the mail. */
  isShown?: boolean;
  /** Whether this is an embedded object or another mail instead of a file. */
  isObject?: boolean;
}

const number = (value: number) => {
  const four = Buffer.alloc(4);
  four.writeUInt32LE(value);
  return four;
};

function attribute(level: number, id: number, data: Uint8Array): Buffer {
  const sum = data.reduce((total, byte) => (total + byte) & 0xffff, 0);
  return Buffer.concat([Buffer.of(level), number(id), number(data.length), data, Buffer.of(sum & 255, sum >> 8)]);
}

const padded = (data: Uint8Array) => Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);

const wide = (text: string) => Buffer.from(`${text}\0`, "utf16le");

/** Encodes a property with one value: id and type, number of values, length of the value, and the value. */
const counted = (id: number, type: number, value: Uint8Array): Buffer =>
  Buffer.concat([number(id * 0x1_0000 + type), number(1), number(value.length), padded(value)]);

const [wideText, binary, objectType] = [0x1f, 0x102, 0x0d];

/** Encodes the properties of a file. A property without a name and one with a name are among them. */
function propertiesOf({ name, bytes, isShown = false, isObject = false }: Packed): Buffer {
  const more = [
    counted(0x3707, wideText, wide(name)),
    ...(isShown ? [counted(0x3712, wideText, wide("logo@mail"))] : []),
    ...(isObject ? [counted(0x3701, objectType, Buffer.concat([Buffer.alloc(16, 9), bytes]))] : []),
  ];
  return Buffer.concat([
    number(2 + more.length),
    number(0x0e20_0003),
    number(1),
    number(0x8001_0003),
    Buffer.alloc(16, 7),
    number(0),
    number(0x8530),
    number(5),
    ...more,
  ]);
}

/** Makes a `winmail.dat` with files and the text of the mail. */
export const tnef = (
  files: readonly Packed[],
  words: { html?: string; text?: string; rtf?: Uint8Array } = {},
): Buffer => {
  const said = [
    ...(words.text ? [counted(0x1000, wideText, wide(words.text))] : []),
    ...(words.html ? [counted(0x1013, binary, Buffer.from(words.html))] : []),
    ...(words.rtf ? [counted(0x1009, binary, words.rtf)] : []),
  ];
  return Buffer.concat([
    number(0x223e9f78),
    Buffer.of(1, 0),
    attribute(1, 0x0008_9006, number(0x0001_0000)),
    ...(said.length > 0 ? [attribute(1, 0x0006_9003, Buffer.concat([number(said.length), ...said]))] : []),
    ...files.flatMap((file) => [
      attribute(2, 0x0006_9002, Buffer.alloc(14)),
      ...(file.isObject ? [] : [attribute(2, 0x0006_800f, file.bytes)]),
      attribute(2, 0x0001_8010, Buffer.from("SHORT~1.DAT\0")),
      attribute(2, 0x0006_9005, propertiesOf(file)),
    ]),
  ]);
};
