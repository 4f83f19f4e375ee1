import type { PublicFreight } from "../../areas/freights/views.ts";
import { capabilities, trailerTypes, vehicleTypes } from "../../domain/mappings.ts";
import { formatPeriod, townOf } from "../frame/format.ts";
import { type FreightLanguage, formatMessage } from "../../i18n/language.ts";
import { html, type Markup } from "../html.ts";
import { moneyOf, numberOf, temperatureOf, unitOf, periodAt } from "./format.ts";

const namedIn = (words: object, table: Readonly<Record<number, string>>, number: number): string =>
  (words as Record<string, string>)[number] ?? table[number] ?? String(number);

export const trailerName = (number: number, { words }: FreightLanguage): string =>
  namedIn(words.trailer, trailerTypes, number);

export const trailersOf = ({ requirements }: PublicFreight, language: FreightLanguage): string | undefined =>
  names(requirements.trailerTypes, (number) => trailerName(number, language));

function names(numbers: readonly number[] | undefined, nameOf: (number: number) => string): string | undefined {
  return numbers?.length ? numbers.map(nameOf).join(", ") : undefined;
}

/** Renders the stops in route order, with local times. */
export const routeView = ({ locations }: PublicFreight, language: FreightLanguage): Markup =>
  html`<section class="route" aria-labelledby="route">
    <h2 id="route">${language.words.route}</h2>
    <ol>
      ${locations.map((stop) => {
        const times = periodAt(stop, language);
        return html`<li data-type="${stop.type}">
          <h3>${language.words.stop[stop.type]}</h3>
          ${times && html`<p class="times">${times}</p>`}
          <p>${townOf(stop.address)}</p>
        </li>`;
      })}
    </ol>
  </section>`;

/** Renders the facts about load and vehicle, and the comments; undefined if there are none. */
export function loadView(freight: PublicFreight, language: FreightLanguage): Markup | undefined {
  const { words } = language;
  const facts = factsOf(freight, language).filter((fact): fact is [string, string] => fact[1] !== undefined);
  if (facts.length === 0 && !freight.comments) return undefined;
  return html`<section class="load" aria-labelledby="load">
    <h2 id="load">${words.load}</h2>
    ${
      facts.length > 0 &&
      html`<dl class="facts">
        ${facts.map(
          ([name, value]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>`
    }
    ${
      freight.comments &&
      html`<div class="remarks">
        <h3>${words.fact.comments}</h3>
        <p>${freight.comments}</p>
      </div>`
    }
  </section>`;
}

type Fact = [name: string, value: string | undefined];

function factsOf(freight: PublicFreight, language: FreightLanguage): Fact[] {
  const { words } = language;
  const { totalDistance, requirements: needs } = freight;
  const { ldm, capacity, pallets, ftl, vehicleTypes: vehicles, loadingSide, temperature } = needs;
  return [
    [words.fact.distance, totalDistance === undefined ? undefined : unitOf(totalDistance, "kilometer", language)],
    [words.fact.weight, capacity === undefined ? undefined : tonnes(capacity, language)],
    [words.fact.ldm, ldm === undefined ? undefined : unitOf(ldm, "meter", language)],
    [words.fact.pallets, pallets === undefined ? undefined : palletsOf(pallets, needs, language)],
    [words.fact.size, ftl === undefined ? undefined : ftl ? words.full : words.part],
    [words.fact.trailer, trailersOf(freight, language)],
    [words.fact.vehicle, names(vehicles, (number) => namedIn(words.vehicle, vehicleTypes, number))],
    [words.fact.side, loadingSide && words.side[loadingSide]],
    [words.fact.temperature, temperature && temperatureOf(temperature, language)],
    [words.fact.equipment, names(needs.capabilities, (number) => namedIn(words.capability, capabilities, number))],
  ];
}

export const tonnes = (amount: number, language: FreightLanguage): string =>
  formatMessage(language.words.tonnes, { amount: numberOf(amount, language) }).replaceAll(" ", "\u00a0");

function palletsOf(pallets: number, { palletsExchange }: PublicFreight["requirements"], language: FreightLanguage) {
  const count = numberOf(pallets, language);
  return palletsExchange ? formatMessage(language.words.palletsExchange, { pallets: count }) : count;
}

/** Renders the current price and the payment term. */
export function priceView(
  { currentPrice, payment }: Pick<PublicFreight, "currentPrice" | "payment">,
  language: FreightLanguage,
): Markup {
  const { words } = language;
  const { currency } = payment;
  const due = paymentTermOf(payment, language);
  return html`<section class="price" aria-labelledby="price">
    <h2 id="price">${words.price}</h2>
    <p class="amount">${currentPrice === undefined ? words.priceOpen : moneyOf(currentPrice, currency, language)}</p>
    ${due && html`<p class="term">${words.fact.term}: ${due}</p>`}
  </section>`;
}

/** Describes the payment term; undefined if there is none. */
export function paymentTermOf(
  { term, dueDate }: PublicFreight["payment"],
  language: FreightLanguage,
): string | undefined {
  if (term !== undefined) return formatMessage(language.words.termDays, { days: numberOf(term, language) });
  return dueDate && formatPeriod({ startDate: dueDate, timeZone: "UTC", isDays: true }, language);
}
