import type { Chance } from "../chance.ts";

const SYMBOLS: Record<string, string> = {
  EUR: "€",
  GBP: "£",
  USD: "$",
  PLN: "zł",
  CZK: "Kč",
  HUF: "Ft",
  RUB: "руб.",
  UAH: "грн",
  RON: "lei",
};
const GROUPS: Record<string, [group: string, decimal: string]> = {
  en: [",", "."],
  us: [",", "."],
  de: [".", ","],
  es: [".", ","],
  it: [".", ","],
  nl: [".", ","],
  pt: [".", ","],
  ro: [".", ","],
};
const POUNDS = 2.20462;

/** The number format of one document. */
export class NumberFormat {
  readonly pounds: boolean;
  /** Whether the label contains the unit of a weight: "Weight (kg)". */
  readonly unitInLabel: boolean;
  /** Whether pallets and pieces are printed without a unit after the number. */
  readonly bareCounts: boolean;
  readonly #group: string;
  readonly #decimal: string;
  readonly #money: string;
  readonly #cents: "Always" | "Dash" | "Needed";
  readonly #tonnes: boolean;
  readonly #degree: string;
  readonly #between: string;
  readonly #signed: boolean;

  constructor(chance: Chance, language: string) {
    const [group, decimal] = GROUPS[language] ?? [" ", ","];
    this.pounds = language === "us";
    this.unitInLabel = chance.happens(0.2);
    this.bareCounts = chance.happens(0.3);
    this.#group = chance.happens(0.25) ? "" : group;
    this.#decimal = decimal;
    this.#money = this.pounds
      ? "{s}{n}"
      : chance.pick(["{n} {c}", "{n} {c}", "{c} {n}", "{n} {s}", "{n}{s}", "{s} {n}"]);
    this.#cents = chance.weighted({ Always: 60, Needed: 35, Dash: this.pounds ? 0 : 5 });
    this.#tonnes = !this.pounds && chance.happens(0.15);
    this.#degree = chance.pick(["°C", " °C", " C", "°"]);
    this.#between = chance.pick([" / ", " - ", "/", " … ", " : "]);
    this.#signed = chance.happens(0.6);
  }

  number(value: number, decimals = 0): string {
    const [whole = "", part] = Math.abs(value).toFixed(decimals).split(".");
    const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, this.#group);
    return (value < 0 ? "-" : "") + grouped + (part ? this.#decimal + part : "");
  }

  money(amount: number, currency: string): string {
    const whole = Number.isInteger(amount);
    const cents = currency === "HUF" && whole ? "" : this.#cents;
    const figure =
      cents === "Dash" && whole
        ? `${this.number(amount)}${this.#decimal}-`
        : this.number(amount, cents === "Always" || !whole ? 2 : 0);
    return this.#money
      .replace("{n}", figure)
      .replace("{c}", currency)
      .replace("{s}", SYMBOLS[currency] ?? currency);
  }

  /** Formats a weight. `bare` omits the unit, because the label contains it. */
  weight(kilograms: number, bare = false): string {
    const unit = bare ? "" : this.pounds ? " lbs" : " kg";
    if (bare || this.pounds) return this.number(this.pounds ? Math.round(kilograms * POUNDS) : kilograms) + unit;
    return this.#tonnes && kilograms % 100 === 0
      ? `${this.number(kilograms / 1000, kilograms % 1000 === 0 ? 0 : 1)} t`
      : this.number(kilograms) + unit;
  }

  metres(value: number): string {
    return this.number(value, Number.isInteger(value) ? 0 : 1);
  }

  temperature({ from, to }: { from: number; to?: number }): string {
    const degrees = (value: number): string => `${value > 0 && this.#signed ? "+" : ""}${value}${this.#degree}`;
    return to === undefined ? degrees(from) : degrees(from) + this.#between + degrees(to);
  }
}
