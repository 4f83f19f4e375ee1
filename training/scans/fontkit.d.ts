declare module "fontkit" {
  interface Command {
    command: "moveTo" | "lineTo" | "quadraticCurveTo" | "bezierCurveTo" | "closePath";
    args: number[];
  }
  interface Font {
    unitsPerEm: number;
    layout(text: string): { glyphs: { path: { commands: Command[] } }[]; positions: { xAdvance: number }[] };
  }
  export function create(bytes: Uint8Array): Font;
}
