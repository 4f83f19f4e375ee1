import type { ReaderContext } from "./reader.ts";
import { latinText, rtfEvents } from "./rtf-events.ts";
import { decompressRTF } from "@kenjiuno/decompressrtf";

/** Extracts the HTML mail that Outlook encapsulated in RTF. Returns undefined if the RTF contains no HTML. */
export function htmlInRtf(bytes: Uint8Array, context: ReaderContext): string | undefined {
  const rtf = latinText(bytes);
  if (!/\\fromhtml1/.test(rtf.slice(0, 2000))) return undefined;
  const stack: State[] = [];
  let state: State = { tag: false, forRtfOnly: false, unread: false };
  let html = "";
  for (const event of rtfEvents(rtf, context)) {
    if (event.kind === "Open") stack.push({ ...state });
    else if (event.kind === "Close") state = stack.pop() ?? state;
    else if (event.kind === "Text") html += shown(state) ? event.text : "";
    else if (event.name === "htmlrtf") state.forRtfOnly = event.value !== 0;
    else if (event.name === "htmltag") state = { tag: true, forRtfOnly: false, unread: false };
    else if (event.starred || headers.has(event.name)) state.unread = !state.tag;
    else if (event.name === "par" || event.name === "line") html += shown(state) ? "\n" : "";
    else if (event.name === "tab") html += shown(state) ? "\t" : "";
  }
  return html;
}

interface State {
  tag: boolean;
  forRtfOnly: boolean;
  unread: boolean;
}

const headers = new Set(["fonttbl", "colortbl", "stylesheet", "info", "pntext"]);

function shown(state: State): boolean {
  return state.tag || (!state.forRtfOnly && !state.unread);
}

const maxRichTextBytes = 20 * 1024 * 1024;

/** Decompresses the RTF of an Outlook mail. Returns undefined if it is damaged or too long. */
export function richText(compressed: Uint8Array | undefined): Uint8Array | undefined {
  if (!compressed || compressed.length < 16) return undefined;
  const length = new DataView(compressed.buffer, compressed.byteOffset, compressed.byteLength).getUint32(4, true);
  if (length > maxRichTextBytes) return undefined;
  try {
    return Uint8Array.from(decompressRTF([...compressed]));
  } catch {
    return undefined;
  }
}
