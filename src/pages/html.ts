/** Safe HTML: text from outside is already escaped. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Part = string | number | false | undefined | Markup | readonly Part[];

/** Builds markup. Text is escaped, markup is inserted unchanged, lists are joined, `false` and `undefined` are empty. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Markup =>
  new Markup(strings.reduce((text, string, index) => text + written(parts[index - 1]) + string));

function written(part: Part): string {
  if (part === false || part === undefined) return "";
  if (part instanceof Markup) return part.text;
  return typeof part === "object" ? part.map(written).join("") : escaped(String(part));
}

const signs: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => signs[sign]!);
