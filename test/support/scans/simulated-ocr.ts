/** Kinds of failures of an OCR Worker. */
export type OcrFailure = "Status" | "Throw" | "Nonsense";

interface Play {
  /**
   * The text of every page. `{width}` is replaced with the width of a JPEG, and `{looks}` with how often the whole page
   * has been recognised.
   */
  lines: readonly string[];
  /** How the first recognition of each new picture fails, in the order of the pictures. */
  faults?: readonly OcrFailure[];
  /** The index of a page whose first recognition loses the connection. */
  losesPage?: number;
  /** Delays the first `looks` recognitions of whole pages by this many milliseconds. */
  slow?: { milliseconds: number; looks: number };
}

/** Returns the source of a Worker that replaces the binding OCR. It recognises the same text on every picture. */
export const ocrPlaying = (play: Play): string => `
  import { WorkerEntrypoint } from "cloudflare:workers";
  const { lines, faults = [], losesPage = -1, slow = { milliseconds: 0, looks: 0 } } = ${JSON.stringify(play)};
  const pictures = new Map();
  const looks = new Map();
  let slowed = 0;
  let hasLost = false;

  async function nameOf(bytes) {
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    return new Uint8Array(digest).slice(0, 8).toHex();
  }

  function widthOf(bytes) {
    const frame = bytes.findIndex((byte, at) => byte === 0xff && bytes[at + 1] >= 0xc0 && bytes[at + 1] <= 0xc2);
    return frame < 0 ? 0 : bytes[frame + 7] * 256 + bytes[frame + 8];
  }

  function wordsOf(width, times) {
    return lines.flatMap((line, row) => {
      let x = 80;
      return line.replaceAll("{width}", width).replaceAll("{looks}", times).split(" ").map((text) => {
        const box = { x0: x, x1: x + text.length * 12, y0: 80 + row * 40, y1: 100 + row * 40 };
        x = box.x1 + 10;
        return { text, confidence: 0.95, size: 20, ...box };
      });
    });
  }

  export class OCR extends WorkerEntrypoint {
    async fetch(request) {
      const query = new URL(request.url).searchParams;
      const bytes = new Uint8Array(await request.arrayBuffer());
      const name = await nameOf(bytes);
      const isLost = !hasLost && Number(query.get("page")) === losesPage;
      hasLost ||= isLost;
      if (isLost) throw new Error("The connection was lost.");
      const fault = pictures.has(name) ? undefined : faults[pictures.size];
      pictures.set(name, true);
      if (fault === "Throw") throw new Error("The connection was lost.");
      if (fault === "Status") return new Response("Out of memory", { status: 500 });
      if (fault === "Nonsense") return Response.json({ words: "none" });
      const isWhole = query.get("depth") === "Whole";
      const place = name + "/" + query.get("page");
      if (isWhole) looks.set(place, (looks.get(place) ?? 0) + 1);
      if (isWhole && slowed++ < slow.looks) await new Promise((passed) => setTimeout(passed, slow.milliseconds));
      const words = wordsOf(widthOf(bytes), looks.get(place) ?? 0);
      return Response.json({ width: 1000, height: 1400, words, rulings: [], confidence: 0.95, turn: 0, memory: 1 });
    }
  }
  export default {};`;
