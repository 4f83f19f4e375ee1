import type { Chance } from "../chance.ts";
import tables from "./words.json" with { type: "json" };

export type Word = keyof (typeof tables)["pl"];

/** The wording of one document, chosen once. */
export class Wording {
  readonly #chance: Chance;
  readonly #table: Record<Word, string[]>;
  readonly #chosen = new Map<Word, string>();

  constructor(chance: Chance, language: string) {
    const table = (tables as Record<string, Record<Word, string[]>>)[language];
    if (!table) throw new RangeError(`There are no words for invoices in the language ${language}.`);
    this.#chance = chance;
    this.#table = table;
  }

  /** Returns the text that the document prints for a word, with `{names}` filled in. */
  word(of: Word, values: Record<string, string | number> = {}): string {
    const word = this.#chosen.get(of) ?? this.#chance.pick(this.#table[of]);
    this.#chosen.set(of, word);
    return word.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
  }
}
