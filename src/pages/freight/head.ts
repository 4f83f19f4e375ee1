import type { PublicFreight } from "../../areas/freights/views.ts";
import { routeEnds } from "../frame/format.ts";
import { html, type Markup } from "../html.ts";
import { numberOf, unitOf } from "./format.ts";
import { tonnes, trailersOf } from "./facts.ts";
import type { FreightLanguage } from "../../i18n/language.ts";

/** Returns the route as a title: `Leipzig → Wrocław`. A stop without a town is named by its postal code. */
export const titleOf = ({ locations }: PublicFreight): string =>
  routeEnds(
    locations.map(({ type, address: { countryCode, postalCode, city } }) => ({
      type,
      city: city ?? [countryCode, postalCode].filter(Boolean).join(" "),
    })),
  ).join(" → ");

/** Renders the head of the page: company, route, and key figures of the load. */
export const headView = (freight: PublicFreight, company: string | undefined, language: FreightLanguage): Markup =>
  html`<header class="head">
    ${company && html`<p class="giver">${company}</p>`}
    <h1><span class="kind">${language.words.freight}</span> ${titleOf(freight)}</h1>
    <p class="brief">${briefOf(freight, language)}</p>
  </header>`;

/** Lists the key figures of the load: `348 km · 22.4 t · 13.6 m · Curtainsider`. */
export function briefOf(freight: PublicFreight, language: FreightLanguage): string {
  const { totalDistance, requirements } = freight;
  const { capacity, ldm, pallets } = requirements;
  return [
    totalDistance !== undefined && unitOf(totalDistance, "kilometer", language),
    capacity !== undefined && tonnes(capacity, language),
    ldm !== undefined && unitOf(ldm, "meter", language),
    capacity === undefined && pallets !== undefined && `${language.words.fact.pallets}: ${numberOf(pallets, language)}`,
    trailersOf(freight, language),
  ]
    .filter(Boolean)
    .join(" · ");
}
