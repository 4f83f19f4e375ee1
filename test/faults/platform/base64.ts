/** What the runtime knows of base64 and Node 24 does not yet. */
export function learnBase64(): void {
  if ("fromBase64" in Uint8Array) return;
  Object.assign(Uint8Array, { fromBase64: (text: string) => Uint8Array.from(Buffer.from(text, "base64")) });
  const { prototype } = Uint8Array;
  Object.assign(prototype, {
    toBase64(this: Uint8Array) {
      return Buffer.from(this).toString("base64");
    },
  });
}
