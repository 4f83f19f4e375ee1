import { Parser } from "htmlparser2";
import { ExtractionProblem } from "../problem.ts";
import type { ReaderContext } from "./reader.ts";

export interface XmlListener {
  open?(name: string, attributes: Record<string, string>): void;
  close?(name: string): void;
  text?(text: string): void;
}

const step = 64 * 1024;
const maxDepth = 1000;

/**
 * Passes the elements of an XML text to a listener. Declarations of document types and entities are ignored, and no
 * external resources are loaded. No tree is built, so that deep nesting cannot overflow the stack.
 * @throws ExtractionProblem `file_unreadable` if the elements are nested too deeply
 */
export function streamXml(xml: string, listener: XmlListener, context: ReaderContext): void {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (++depth > maxDepth)
          throw new ExtractionProblem(
            "file_unreadable",
            `The elements of the file are nested deeper than ${maxDepth} levels.`,
          );
        listener.open?.(name, attributes);
      },
      onclosetag: (name) => {
        depth--;
        listener.close?.(name);
      },
      ontext: (text) => listener.text?.(text),
    },
    { xmlMode: true, decodeEntities: true },
  );
  for (let at = 0; at < xml.length; at += step) {
    context.budget.check();
    parser.write(xml.slice(at, at + step));
  }
  parser.end();
}

/** Returns the name of an element without its namespace prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
