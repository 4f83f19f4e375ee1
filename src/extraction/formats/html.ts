import { Parser } from "htmlparser2";
import { type Block, BlockBuilder } from "./blocks.ts";
import { decode } from "./encoding.ts";
import {
  apartSelectors,
  hiddenSelectors,
  isApart,
  isHidden,
  isStruck,
  boldness,
  styledText,
  type Attributes,
  type TextStyle,
} from "./html-style.ts";
import type { ReaderContext, Reader } from "./reader.ts";
import { layOutBlocks } from "./table-layout.ts";

export const readHtml: Reader = (file, context) => {
  const { own, quoted } = htmlBlocks(decode(file.bytes, declaredCharset(file.bytes)), context);
  return { pages: layOutBlocks([...own, ...quoted], context) };
};

function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 2048));
  return head.match(/charset\s*=\s*["']?\s*([\w-]+)/i)?.[1];
}

/** Converts HTML to blocks. Older mails that the mail program marked as quoted are returned separately. */
export function htmlBlocks(html: string, context: ReaderContext): { own: Block[]; quoted: Block[] } {
  const writer = new HtmlWriter(hiddenSelectors(html), apartSelectors(html));
  const parser = new Parser({
    onopentag: (name, attributes) => writer.open(name, attributes),
    onclosetag: (name) => writer.close(name),
    ontext: (text) => writer.text(text),
  });
  for (let at = 0; at < html.length && !writer.tooDeep; at += step) {
    context.budget.check();
    parser.write(html.slice(at, at + step));
  }
  return writer.finish();
}

const step = 16 * 1024;
/** The time of the parser grows with the square of the nesting depth. Genuine pages have a smaller depth. */
const maxDepth = 3000;

const unread = new Set([
  "script",
  "style",
  "title",
  "noscript",
  "template",
  "object",
  "iframe",
  "svg",
  "math",
  "audio",
  "video",
  "datalist",
]);
const blockElements = new Set(
  "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form header hr html legend li main nav ol p pre section summary ul".split(
    " ",
  ),
);
const spacedElements = new Set("p h1 h2 h3 h4 h5 h6 blockquote ul ol dl pre".split(" "));
const boldElements = new Set("b strong th h1 h2 h3 h4 h5 h6".split(" "));
const struckElements = new Set(["s", "strike", "del"]);
const voidElements = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));

const inlineElements = new Set("span b strong i em label small u font".split(" "));

interface Open {
  name: string;
  unread: boolean;
  bold: boolean;
  ink: TextStyle;
  quote: boolean;
  spaced: boolean;
  apart: boolean;
}

class HtmlWriter {
  tooDeep = false;
  private readonly own = new BlockBuilder();
  private readonly quoted = new BlockBuilder();
  private readonly stack: Open[] = [];
  private readonly hiddenBy: Set<string>;
  private readonly apartBy: Set<string>;
  private quoting = 0;
  /** Whether the rest of the mail is quoted. Some mail programs mark only the start of the older mail. */
  private quotedToTheEnd = false;

  constructor(hiddenBy: Set<string>, apartBy: Set<string>) {
    this.hiddenBy = hiddenBy;
    this.apartBy = apartBy;
  }

  open(name: string, attributes: Attributes): void {
    const parent = this.stack.at(-1);
    if (startsOlderMail(attributes)) this.quotedToTheEnd = true;
    const quote = isQuote(name, attributes);
    if (quote) this.quoting++;
    const ink = styledText(parent?.ink ?? {}, attributes);
    const element: Open = {
      name,
      unread:
        parent?.unread ||
        unread.has(name) ||
        struckElements.has(name) ||
        isHidden(attributes, this.hiddenBy) ||
        isStruck(attributes),
      bold: boldness(attributes) ?? (boldElements.has(name) || (parent?.bold ?? false)),
      ink,
      quote,
      spaced: isSpaced(name, attributes),
      apart: inlineElements.has(name) && isApart(attributes, this.apartBy),
    };
    if (!element.unread) this.begin(name, attributes, element.bold);
    if (voidElements.has(name)) return;
    this.stack.push(element);
    this.tooDeep ||= this.stack.length > maxDepth;
  }

  close(name: string): void {
    const element = this.stack.at(-1);
    if (!element || element.name !== name) return;
    this.stack.pop();
    if (!element.unread) this.end(element);
    if (element.quote) {
      this.builder.endParagraph();
      this.quoting--;
    }
  }

  text(text: string): void {
    const element = this.stack.at(-1);
    if (element?.unread || element?.ink.invisible) return;
    const inPre = this.stack.some((open) => open.name === "pre");
    this.builder.text(inPre ? text : text.replace(/[\n\r\t\f ]+/g, " "), element?.bold ?? false);
  }

  finish(): { own: Block[]; quoted: Block[] } {
    return { own: this.own.finish(), quoted: this.quoted.finish() };
  }

  private get builder(): BlockBuilder {
    return this.quoting > 0 || this.quotedToTheEnd ? this.quoted : this.own;
  }

  private begin(name: string, attributes: Attributes, bold: boolean): void {
    const { builder } = this;
    if (name === "table") builder.openTable();
    else if (name === "tr") builder.openRow();
    else if (name === "td" || name === "th")
      builder.openCell(Number(attributes.colspan ?? 1), Number(attributes.rowspan ?? 1));
    else if (name === "br") builder.text("\n", bold);
    else if (name === "input") builder.text(inputValue(attributes), bold);
    else if (isSpaced(name, attributes)) builder.gap();
    else if (blockElements.has(name)) builder.endParagraph();
    if (name === "pre") builder.setFixed(true);
  }

  private end(element: Open): void {
    const { builder } = this;
    const { name } = element;
    if (name === "pre") builder.setFixed(false);
    if (name === "table") builder.closeTable();
    else if (name === "tr") builder.closeRow();
    else if (name === "td" || name === "th") builder.closeCell();
    else if (element.spaced) builder.gap();
    else if (element.apart) builder.text("\t", element.bold);
    else if (blockElements.has(name)) builder.endParagraph();
  }
}

/**
 * Whether there are empty lines above and below an element. There are none if its style has no margin: word processors
 * write each line as a paragraph with such a style.
 */
function isSpaced(name: string, attributes: Attributes): boolean {
  if (!spacedElements.has(name)) return false;
  return !/\bMso/.test(attributes.class ?? "") && !/margin(?:-(?:top|bottom))?\s*:\s*0/i.test(attributes.style ?? "");
}

function inputValue({ type = "text", value = "", checked }: Attributes): string {
  if (type === "checkbox" || type === "radio") return checked === undefined ? "" : " X ";
  return ["text", "date", "datetime-local", "time", "number", "email", "tel"].includes(type) ? ` ${value} ` : "";
}

function isQuote(name: string, attributes: Attributes): boolean {
  if (name === "blockquote" && attributes.type === "cite") return true;
  return /\b(?:gmail_quote|yahoo_quoted|moz-cite-prefix|moz-forward-container|protonmail_quote|zmail_extra)\b/.test(
    attributes.class ?? "",
  );
}

function startsOlderMail(attributes: Attributes): boolean {
  return /^(?:divRplyFwdMsg|appendonsend|x_divRplyFwdMsg|mail-editor-reference-message-container|isForwardContent)$/.test(
    attributes.id ?? "",
  );
}
