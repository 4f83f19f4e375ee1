import type { ReaderContext } from "./reader.ts";
import { localName, streamXml } from "./xml-stream.ts";

interface Style {
  basedOn?: string;
  bold?: boolean;
}

/** Ids of the styles of a DOCX whose letters are bold, by themselves or by the style they are based on. */
export function boldStyles(xml: string, context: ReaderContext): Set<string> {
  const styles = new Map<string, Style>();
  let style: Style | undefined;
  streamXml(
    xml,
    {
      open: (name, attributes) => {
        const value = attributes["w:val"];
        if (name === "w:style") styles.set(attributes["w:styleId"] ?? "", (style = {}));
        if (style && name === "w:basedOn" && value) style.basedOn = value;
        if (style && name === "w:b") style.bold = isOn(attributes);
      },
      close: (name) => {
        if (localName(name) === "style") style = undefined;
      },
    },
    context,
  );
  return new Set([...styles.keys()].filter((id) => isBold(id, styles)));
}

function isBold(id: string, styles: Map<string, Style>): boolean {
  let at: string | undefined = id;
  // Styles may be based on each other in a circle.
  for (let hops = 0; at !== undefined && hops < 20; hops++) {
    const style: Style | undefined = styles.get(at);
    if (style?.bold !== undefined) return style.bold;
    at = style?.basedOn;
  }
  return false;
}

/** Whether a toggle such as `<w:b/>` is switched on. */
export function isOn(attributes: Record<string, string>): boolean {
  return !/^(?:0|false|off|none)$/.test(attributes["w:val"] ?? "true");
}
