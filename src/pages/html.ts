/** HTML in which all text is escaped. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type HtmlValue = string | number | false | undefined | Markup | readonly HtmlValue[];

/** Builds markup. Strings are escaped, markup is unchanged, lists are joined, `false` and `undefined` give nothing. */
export const html = (strings: TemplateStringsArray, ...parts: HtmlValue[]): Markup =>
  new Markup(strings.reduce((text, string, index) => text + render(parts[index - 1]) + string));

function render(part: HtmlValue): string {
  if (part === false || part === undefined) return "";
  if (part instanceof Markup) return part.text;
  return typeof part === "object" ? part.map(render).join("") : escape(String(part));
}

const signs: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => signs[sign]!);
