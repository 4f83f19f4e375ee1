import type { Chance } from "../chance.ts";
import { country } from "./countries.ts";

const ORDER_NUMBERS = [
  "####/11/2026",
  "ZT/2026/#####",
  "2026######",
  "######",
  "#######",
  "@@-######",
  "@@@26####",
  "26.####.#",
  "T26-#####",
  "####/26",
  "@@/####/11/26",
  "@###### ",
  "AB-2026-####",
  "@@######/1",
  "26/@@@/####",
];
const REFERENCES = [
  "45########",
  "@@-#####",
  "####/26",
  "#######",
  "@@@######",
  "#####-##",
  "PO ######",
  "80######",
  "@#####",
  "LS######",
  "###.###.##",
  "@@ ####/##",
];
const CONTAINER_OWNERS = ["QXZU", "KVTU", "NRLU", "WYBU"];

export const orderNumber = (chance: Chance): string => chance.code(chance.pick(ORDER_NUMBERS)).trim();

export const reference = (chance: Chance): string => chance.code(chance.pick(REFERENCES));

export function plate(chance: Chance, code: string, part: "tractor" | "trailer"): string {
  const from = country(code);
  return chance.code(chance.pick(from[part]), from.letters);
}

/** Generates a container number according to ISO 6346. The last of its eleven characters is the check digit. */
export function containerNumber(chance: Chance): string {
  const body = chance.pick(CONTAINER_OWNERS) + chance.code("######");
  const sum = [...body].reduce((total, sign, at) => total + containerValue(sign) * 2 ** at, 0);
  return `${body}${(sum % 11) % 10}`;
}

/** Returns a character's value for the check digit. Letters count from 10 and skip the multiples of 11. */
function containerValue(sign: string): number {
  if (/\d/.test(sign)) return Number(sign);
  const plain = sign.charCodeAt(0) - "A".charCodeAt(0) + 10;
  return plain + Math.floor((plain - 1) / 10);
}

/** Generates an IBAN of an invented bank, with a valid checksum. */
export function iban(chance: Chance, code: string): string {
  const account = chance.code("################");
  const tail = [...`${account}${code}00`]
    .map((sign) => (/\d/.test(sign) ? sign : String(sign.charCodeAt(0) - 55)))
    .join("");
  const check = String(98n - (BigInt(tail) % 97n)).padStart(2, "0");
  return `${code}${check}${account}`.replaceAll(/(.{4})(?=.)/g, "$1 ");
}
