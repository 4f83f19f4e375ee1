import type { Chance } from "../chance.ts";
import type { Item } from "../sheet/sheet.ts";
import type { Cell } from "./node.ts";

export type Form = "Lines" | "Left" | "Above" | "Dense" | "Row" | "Bare";

/** How the stops are laid out. */
export type StopForm = "Blocks" | "Halves" | "Rows" | "Columns" | "List" | "Terse" | "Prose" | "Prefixed";

/** The family of a layout limits how its stops are laid out. */
export const stopForms: Record<string, Partial<Record<StopForm, number>>> = {
  form: { Blocks: 55, Halves: 20, Prefixed: 20 },
  table: { Rows: 65, Columns: 35 },
  prose: { Prose: 45, List: 35, Terse: 20 },
};

/** The style of one document: the choices that a company makes once for its form. */
export class House {
  readonly stops: StopForm;
  readonly colon: string;
  readonly boldLabels: boolean;
  readonly capitals: boolean;
  readonly heading: "Plain" | "Bar" | "Line" | "Beside" | "None";
  readonly headingCapitals: boolean;
  readonly numbered: boolean;
  readonly boxed: boolean;
  readonly lines: "Grid" | "Rows" | "None";
  readonly separator: string;
  /** Address as one field of several lines, as one line, or as fields of its own. */
  readonly address: "Lines" | "OneLine" | "Apart";
  /** Whether day and time are one field. */
  readonly oneMoment: boolean;
  readonly abbreviated: boolean;
  /** Whether values that need no label have none. */
  readonly silent: boolean;
  readonly landscape: boolean;
  /** Whether sections flow below each other, or some stand in a sidebar or in a column of their own. */
  readonly arrangement: "Flow" | "Bar" | "Columns";
  readonly #forms: Form[];
  readonly #chance: Chance;

  constructor(chance: Chance, family: string) {
    this.#chance = chance.fork("house");
    const dice = this.dice("style");
    this.stops = dice.weighted(stopForms[family] ?? { ...stopForms.form, ...stopForms.table, ...stopForms.prose });
    this.colon = dice.pick([":", ":", ":", "", "", " :"]);
    this.boldLabels = dice.happens(0.35);
    this.capitals = dice.happens(0.12);
    this.heading = dice.weighted({ Plain: 35, Bar: 25, Line: 15, Beside: 12, None: 13 });
    this.headingCapitals = dice.happens(0.3);
    this.numbered = dice.happens(0.1);
    this.lines = dice.weighted({ Grid: 45, Rows: 25, None: 30 });
    this.boxed = dice.happens(this.lines === "Grid" ? 0.06 : 0.35);
    this.separator = dice.pick([" / ", " | ", ", ", "   ", "; ", " - "]);
    this.address = dice.weighted({ Lines: 45, OneLine: 25, Apart: 30 });
    this.oneMoment = dice.happens(0.6);
    this.abbreviated = dice.happens(0.06);
    this.silent = dice.happens(0.35);
    this.landscape = dice.happens(this.stops === "Rows" || this.stops === "Columns" ? 0.35 : 0.08);
    this.arrangement = dice.weighted({ Flow: 68, Bar: this.landscape ? 8 : 18, Columns: 14 });
    const usual: Form[] = ["Lines", "Left", "Left", "Above", "Dense", "Row"];
    this.#forms = [dice.pick(usual), dice.pick(usual)];
  }

  /** Random numbers for one part, which do not depend on the other parts. */
  dice(part: string): Chance {
    return this.#chance.fork(part);
  }

  /** How often a section consists of sentences. */
  get spoken(): number {
    return this.stops === "Prose" ? 0.7 : 0.07;
  }

  form(dice: Chance): Form {
    return dice.happens(0.85) ? dice.pick(this.#forms) : dice.pick(["Lines", "Left", "Above", "Dense", "Row", "Bare"]);
  }

  label(label: string): string {
    const words = this.abbreviated ? label.replaceAll(/(\p{L}{5})\p{L}{4,}/gu, "$1.") : label;
    return this.capitals ? words.toUpperCase() : words;
  }

  /** The head of a column. */
  head(label: string): Cell {
    return { text: this.label(label), bold: this.boldLabels };
  }

  title(title: string): string {
    return this.headingCapitals ? title.toUpperCase() : title;
  }

  /** Formats an item on one line. */
  flat({ label, value, bare }: Item): string {
    const words = value.replaceAll("\n", ", ");
    return bare ? words : `${this.label(label)}${this.colon || " "}${this.colon ? " " : ""}${words}`;
  }
}
