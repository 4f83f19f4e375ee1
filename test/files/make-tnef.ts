import { Buffer } from "node:buffer";

/** A file as Outlook packs it: its long name stands among its properties, the short one is of the old kind. */
interface Packed {
  name: string;
  bytes: Uint8Array;
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

/** A property without a name beside others: a number, a named one, and the long name of the file in UTF-16. */
function propertiesOf(name: string): Buffer {
  const wide = Buffer.from(`${name}\0`, "utf16le");
  return Buffer.concat([
    number(3),
    number(0x0e20_0003),
    number(1),
    number(0x8001_0003),
    Buffer.alloc(16, 7),
    number(0),
    number(0x8530),
    number(5),
    number(0x3707_001f),
    number(1),
    number(wide.length),
    padded(wide),
  ]);
}

/** A `winmail.dat` around files. */
export const tnef = (files: readonly Packed[]): Buffer =>
  Buffer.concat([
    number(0x223e9f78),
    Buffer.of(1, 0),
    attribute(1, 0x0008_9006, number(0x0001_0000)),
    ...files.flatMap(({ name, bytes }) => [
      attribute(2, 0x0006_9002, Buffer.alloc(14)),
      attribute(2, 0x0006_800f, bytes),
      attribute(2, 0x0001_8010, Buffer.from("SHORT~1.DAT\0")),
      attribute(2, 0x0006_9005, propertiesOf(name)),
    ]),
  ]);
