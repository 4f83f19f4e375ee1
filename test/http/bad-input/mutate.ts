import { unzipSync, zipSync } from "fflate";

type Change = (bytes: Uint8Array, random: () => number) => Uint8Array;

const place = (bytes: Uint8Array, random: () => number) => Math.floor(random() * bytes.length);

/** Picks a slice of at most a tenth of the file. */
function slice(bytes: Uint8Array, random: () => number): [from: number, to: number] {
  const from = place(bytes, random);
  return [from, Math.min(bytes.length, from + 1 + Math.floor((random() * bytes.length) / 10))];
}

const joined = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

/** Typical damage of files. */
const changes: Change[] = [
  (bytes, random) => bytes.map((byte) => (random() < 0.002 ? Math.floor(random() * 256) : byte)),
  (bytes, random) => bytes.map((byte) => (random() < 0.05 ? byte ^ (1 << Math.floor(random() * 8)) : byte)),
  (bytes, random) => bytes.slice(0, place(bytes, random)),
  (bytes, random) => bytes.slice(place(bytes, random)),
  (bytes, random) => {
    const [from, to] = slice(bytes, random);
    return joined(bytes.subarray(0, from), bytes.subarray(to));
  },
  (bytes, random) => {
    const [from, to] = slice(bytes, random);
    return joined(bytes.subarray(0, to), bytes.subarray(from));
  },
  (bytes, random) => {
    const [from, to] = slice(bytes, random);
    return Uint8Array.from(bytes).fill(0, from, to);
  },
  (bytes, random) => {
    const at = place(bytes, random);
    const digits = new TextEncoder().encode(String(Math.floor(random() * 1e15) - 5e14));
    return joined(bytes.subarray(0, at), digits, bytes.subarray(at + digits.length));
  },
];

/** Changes a file randomly. */
export const mutated: Change = (bytes, random) => changes[Math.floor(random() * changes.length)]!(bytes, random);

/** Changes one random part of a zip archive. The archive itself stays intact. */
export const mutatedInside: Change = (bytes, random) => {
  const parts = unzipSync(bytes);
  const names = Object.keys(parts);
  const name = names[Math.floor(random() * names.length)]!;
  return zipSync({ ...parts, [name]: mutated(parts[name]!, random) });
};
