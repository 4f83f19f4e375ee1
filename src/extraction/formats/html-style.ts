export type Attributes = Record<string, string | undefined>;

/** Text colour and background colour, if the styles of elements set them. */
export interface TextStyle {
  text?: string;
  ground?: string;
  invisible?: boolean;
}

const hidingStyle =
  /display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])|max-height\s*:\s*0(?![.\d])/i;

export function isHidden(attributes: Attributes, selectors: Set<string>): boolean {
  if (attributes.hidden !== undefined || attributes["aria-hidden"] === "true") return true;
  return hidingStyle.test(attributes.style ?? "") || isSelected(attributes, selectors);
}

function isSelected(attributes: Attributes, selectors: Set<string>): boolean {
  if (selectors.size === 0) return false;
  const classes = (attributes.class ?? "").split(/\s+/).map((name) => `.${name}`);
  return [...classes, `#${attributes.id}`].some((selector) => selectors.has(selector));
}

const apartStyle = /display\s*:\s*(?:inline-block|inline-flex|table-cell)|float\s*:\s*left/i;

/** Whether the element is laid out as a separate inline box, such as a label in a column. */
export function isApart(attributes: Attributes, selectors: Set<string>): boolean {
  return apartStyle.test(attributes.style ?? "") || isSelected(attributes, selectors);
}

export function isStruck(attributes: Attributes): boolean {
  return /text-decoration[\w-]*\s*:[^;]*line-through/i.test(attributes.style ?? "");
}

/** Whether the element's style makes its text bold. Undefined if the style does not set the weight. */
export function boldness(attributes: Attributes): boolean | undefined {
  const weight = attributes.style?.match(/font-weight\s*:\s*(\w+)/i)?.[1]?.toLowerCase();
  if (!weight) return undefined;
  return weight === "bold" || weight === "bolder" || Number(weight) >= 600;
}

/** Finds the simple class and id selectors of elements that style sheets hide. Media queries are ignored. */
export const hiddenSelectors = (html: string): Set<string> => selectorsOf(html, /display\s*:\s*none/i);

/**
 * Finds the simple class and id selectors of elements that style sheets lay out as separate inline boxes. Media queries
 * are ignored.
 */
export const apartSelectors = (html: string): Set<string> => selectorsOf(html, apartStyle);

function selectorsOf(html: string, wanted: RegExp): Set<string> {
  const selectors = new Set<string>();
  for (const [, sheet = ""] of html.slice(0, 500_000).matchAll(/<style\b[^<>]*>([^<]*)/gi)) {
    const everywhere = withoutMediaRules(sheet);
    for (const block of everywhere.split("}").slice(0, -1)) {
      const [list = "", rules] = block.split("{").slice(-2);
      if (rules === undefined || !wanted.test(rules)) continue;
      for (const selector of list.split(",")) if (/^\s*[.#][\w-]+\s*$/.test(selector)) selectors.add(selector.trim());
    }
  }
  return selectors;
}

/** Removes @media rules, because those for small screens and print do not affect the normal display. */
function withoutMediaRules(sheet: string): string {
  let out = "";
  let depth = 0;
  for (const piece of sheet.split(/(@media[^{]*\{|[{}])/)) {
    if (depth > 0) {
      if (piece.endsWith("{")) depth++;
      if (piece === "}") depth--;
    } else if (piece.startsWith("@media")) depth = 1;
    else out += piece;
  }
  return out;
}

/**
 * Determines the colours inside an element. White text counts as invisible, unless a background colour other than white
 * may be set.
 */
export function styledText(outer: TextStyle, attributes: Attributes): TextStyle {
  const style = attributes.style ?? "";
  const colour = style.match(/(?:^|[;\s])color\s*:\s*([^;]+)/i)?.[1] ?? attributes.color;
  const ground =
    style.match(/background(?:-color|-image)?\s*:\s*([^;]+)/i)?.[1] ?? attributes.bgcolor ?? attributes.background;
  if (colour === undefined && ground === undefined && attributes.class === undefined) return outer;
  const text = colour ?? outer.text;
  // A style sheet may define a background for the class.
  const beneath = ground ?? outer.ground ?? (attributes.class === undefined ? undefined : "class");
  return {
    ...(text !== undefined && { text }),
    ...(beneath !== undefined && { ground: beneath }),
    invisible: isWhite(text) && (beneath === undefined || isWhite(beneath)),
  };
}

function isWhite(colour: string | undefined): boolean {
  const bare =
    colour
      ?.replace(/!important/i, "")
      .replace(/\s+/g, "")
      .toLowerCase() ?? "";
  return /^(?:white|#fff|#ffffff|#fefefe|rgb\(255,255,255\))$/.test(bare);
}
