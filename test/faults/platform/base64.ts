/** Adds the base64 methods that the Workers runtime has and Node 24 lacks. */
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
