import type { DocumentKind } from "../../src/extraction/kinds/classify.ts";
import { conceptOf, type ConceptId } from "../../src/extraction/lexicon/concepts.ts";
import type { EntityType } from "../../src/extraction/lexicon/entity-type.ts";
import { languages } from "../../src/extraction/lexicon/languages.ts";
import type { Chance } from "../chance.ts";
import { fillings, type Filling } from "../mails/fillings.ts";
import recipes from "./recipes.json" with { type: "json" };

/** The parts that pages of a document kind are made of. */
interface Recipe {
  /** Concepts of possible titles; "" stands for a page without a title. */
  titles: string[];
  often: string[];
  seldom: string[];
  /** Concepts of titles of other documents that the page's sentences mention. */
  mentions: string[];
  /** Probability of a table. */
  rows: number;
  narrow?: boolean;
  short?: boolean;
  boxes?: boolean;
}

/**
 * Generates a page of a document kind as plain text. It has labels in one language, each with a value of its type
 * beside or below it, and possibly a table.
 */
export function makePage(chance: Chance, kind: DocumentKind, language: string): string {
  const recipe: Recipe = recipes[kind];
  const filled = fillings(chance);
  const phrase = (concept: string) => phraseOf(chance, concept as ConceptId, language);
  const title = chance.happens(0.88) ? phrase(chance.pick(recipe.titles)) : undefined;
  const fields = [
    ...recipe.often.filter(() => chance.happens(0.65)),
    ...recipe.seldom.filter(() => chance.happens(recipe.short ? 0.15 : 0.28)),
  ];
  const gap = recipe.narrow ? " " : chance.pick([": ", "   ", ":  "]);
  const lines = chance.shuffled(fields).flatMap((concept, at) => {
    const label = phrase(concept);
    if (!label) return [];
    const box = recipe.boxes && chance.happens(0.7) ? `${at + 1} ` : "";
    const value = valueOf(chance, concept as ConceptId, filled);
    return chance.happens(0.8) ? [`${box}${label}${gap}${value}`] : [`${box}${label}`, value];
  });
  const table = chance.happens(recipe.rows) ? tableOf(chance, recipe, phrase, filled) : [];
  const mention = recipe.mentions.filter(() => chance.happens(0.35)).flatMap((concept) => phrase(concept) ?? []);
  const talk = mention.map(
    (word) => `${filled("firm")}, ${filled("name")}: ${word.toLowerCase()} ${filled("order")} ${filled("date")}.`,
  );
  const head = chance.happens(0.6) ? [filled("firm"), `${filled("from")}, ${filled("phone")}`] : [];
  const capitals = title && chance.happens(0.5) ? title.toUpperCase() : title;
  return [
    ...head,
    ...(capitals ? [chance.happens(0.5) ? `${capitals} ${filled("order")}` : capitals] : []),
    "",
    ...lines,
    "",
    ...table,
    "",
    ...talk,
  ].join("\n");
}

function phraseOf(chance: Chance, concept: ConceptId, language: string): string | undefined {
  const file = languages.find((one) => one.language === language)!;
  const entries = file.labels[concept] ?? languages.find((one) => one.language === "en")!.labels[concept];
  if (!entries || entries.length === 0) return undefined;
  const entry = chance.pick(entries);
  const words = (typeof entry === "string" ? entry : entry[0]).replaceAll("{no}", chance.pick(file.number));
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

type Value = (chance: Chance, filled: Filling) => string;

const values: Partial<Record<EntityType | "Text", Value>> = {
  Date: (_, filled) => filled("date"),
  Time: (_, filled) => filled("time"),
  Amount: (chance, filled) =>
    chance.pick([
      filled("price"),
      `${chance.between(10, 3000)},${chance.code("##")}`,
      `${chance.between(10, 900)}.50 EUR`,
    ]),
  Quantity: (chance, filled) =>
    chance.pick([filled("weight"), String(chance.between(1, 40)), `${chance.between(1, 900)} l`]),
  Percent: (chance) => `${chance.pick([19, 20, 21, 22, 23, 25])} %`,
  Plate: (_, filled) => filled("plate"),
  Iban: (chance) => chance.code("DE## #### #### #### #### ##"),
  Vat: (chance) => chance.code("PL##########"),
  Phone: (_, filled) => filled("phone"),
  Email: () => "office@firm.example",
  Company: (chance, filled) =>
    `${filled("firm")} ${chance.pick(["GmbH", "s.r.o.", "Sp. z o.o.", "S.A.", "UAB", "B.V."])}`,
  Place: (chance, filled) => chance.code(`##### ${filled("to")}`),
  Street: (chance, filled) => chance.code(`##### ${filled("to")}`),
  Reference: (_, filled) => filled("order"),
  Temperature: () => "+2 / +6 °C",
};
const words: Value = (chance, filled) => chance.pick([filled("name"), filled("firm"), filled("from")]);

function valueOf(chance: Chance, concept: ConceptId, filled: Filling): string {
  return (values[conceptOf(concept).expects[0] ?? "Text"] ?? words)(chance, filled);
}

function tableOf(
  chance: Chance,
  recipe: Recipe,
  phrase: (concept: string) => string | undefined,
  filled: Filling,
): string[] {
  const heads = chance
    .shuffled([...recipe.often, ...recipe.seldom])
    .slice(0, recipe.narrow ? 2 : chance.between(4, 6))
    .flatMap((concept) => {
      const label = phrase(concept);
      return label ? [{ concept, label }] : [];
    });
  const row = (cells: string[]) => cells.map((cell) => cell.slice(0, 18).padEnd(recipe.narrow ? 12 : 22)).join("");
  const count = chance.between(2, recipe.rows === 1 ? 25 : 6);
  return [
    row(heads.map(({ label }) => label)),
    ...Array.from({ length: count }, () =>
      row(heads.map(({ concept }) => valueOf(chance, concept as ConceptId, filled))),
    ),
  ];
}
