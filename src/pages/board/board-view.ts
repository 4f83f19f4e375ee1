import type { BoardPage as Found } from "../../areas/freights/board/board.ts";
import type { PublicFreight } from "../../areas/freights/views.ts";
import { formatPeriod } from "../frame/format.ts";
import { icon } from "../frame/icons.ts";
import { type FreightLanguage, formatMessage } from "../../i18n/language.ts";
import { html, type Markup } from "../html.ts";
import { tonnes, trailerName, trailersOf } from "../freight/facts.ts";
import { moneyOf, numberOf, unitOf, periodAt } from "../freight/format.ts";
import { titleOf } from "../freight/head.ts";
import { countryNames, radii, trailerNumbers, defaultRadius, type SearchFields } from "./search-fields.ts";

/** A search and its result. */
export interface BoardPage {
  language: FreightLanguage;
  search: SearchFields;
  /** Absent if the search is invalid. */
  results?: Found;
  /** Why the search is invalid, as a sentence. */
  refused?: string;
  feeds: readonly { name: string; href: string }[];
}

/** Renders the `<main>` of the board. */
export function boardView(page: BoardPage): Markup {
  const { words } = page.language;
  return html`<main id="main" tabindex="-1" class="board">
    <header class="head">
      <h1>${words.board.title}</h1>
      <p class="brief">${words.board.lead}</p>
    </header>
    ${searchForm(page)}
    ${page.refused && html`<p class="notice" data-state="Rejected" role="alert">${icon("bad")}<span>${page.refused}</span></p>`}
    ${page.results && resultsView(page, page.results)}
    <p class="feeds">${page.feeds.map(({ name, href }) => html`<a href="${href}">${name}</a>`)}</p>
  </main>`;
}

/** A form with GET can be bookmarked and shared. It is open only after a search without results. */
function searchForm(page: BoardPage): Markup {
  const { language, search, results } = page;
  const { words } = language;
  const hasResults = results !== undefined && results.items.length > 0;
  const countries = countryNames(language);
  const select = (name: keyof SearchFields, label: string, options: [value: string, text: string][], usual = "") =>
    html`<p class="field">
      <label for="${name}">${label}</label
      ><select id="${name}" name="${name}">
        ${options.map(([value, text]) => html`<option value="${value}" ${value === (search[name] ?? usual) && html` selected`}>${text}</option>`)}
      </select>
    </p>`;
  const input = (name: keyof SearchFields, label: string, more: Markup, hint?: string) =>
    html`<p class="field">
      <label for="${name}">${label}</label
      ><input id="${name}" name="${name}" value="${search[name]}" ${hint && html` placeholder="${hint}"`} ${more} />
    </p>`;
  const any: [string, string] = ["", words.board.any];
  return html`<search>
    <details class="card search" ${Object.values(search).some(Boolean) && !hasResults && html` open`}>
      <summary>
        ${words.board.filter} ${hasResults && html`<span class="wished">${describeSearch(page)}</span>`}
      </summary>
      <form action="/board" class="wishes">
        ${language.chosen && html`<input type="hidden" name="lang" value="${language.code}" />`}
        ${select("country", words.board.country, [any, ...countries])}
        ${input("postalCode", words.board.postal, html`maxlength="10" autocomplete="off"`)}
        ${input("near", words.board.near, html`maxlength="100" autocomplete="off"`, words.board.nearHint)}
        ${select(
          "km",
          words.board.radius,
          radii.map((km) => [String(km), unitOf(km, "kilometer", language)]),
          defaultRadius,
        )}
        ${select("toCountry", words.board.toCountry, [any, ...countries])}
        ${select("trailer", words.board.trailer, [any, ...trailerNumbers.map((number): [string, string] => [String(number), trailerName(number, language)])])}
        ${input("from", words.board.from, html`type="date"`)} ${input("to", words.board.to, html`type="date"`)}
        <p class="steps">
          <button class="button main">${words.board.search}</button>
          <a class="button" href="/board${language.chosen && `?lang=${language.code}`}">${words.board.reset}</a>
        </p>
      </form>
    </details>
  </search>`;
}

/** Writes `Leipzig (50 km) · → Poland · Curtainsider · Tue 24 – Wed 25 Nov`. */
function describeSearch({ language, search }: BoardPage): string {
  const { country, postalCode, near, km, toCountry, trailer, from, to } = search;
  const nameOf = (code: string) => countryNames(language).find(([known]) => known === code)?.[1] ?? code;
  return [
    country && nameOf(country),
    postalCode,
    near && `${near} (${unitOf(Number(km), "kilometer", language)})`,
    toCountry && `→ ${nameOf(toCountry)}`,
    trailer && trailerName(Number(trailer), language),
    formatPeriod({ startDate: from, endDate: to, timeZone: "UTC", isDays: true }, language, { year: false }),
  ]
    .filter(Boolean)
    .join(" · ");
}

function resultsView(page: BoardPage, { items, nextCursor }: NonNullable<BoardPage["results"]>): Markup {
  const { language } = page;
  const { board } = language.words;
  if (items.length === 0)
    return html`<section class="empty">
      ${icon("missing")}
      <h2>${board.none}</h2>
      <p>${board.noneText}</p>
    </section>`;
  const heading = page.search.cursor ? board.more : nextCursor ? board.foundMore : board.found;
  return html`<section aria-labelledby="results">
    <h2 id="results">${formatMessage(heading, { count: numberOf(items.length, language) })}</h2>
    <ol class="results">
      ${items.map((item) => resultView(item, language))}
    </ol>
    ${nextCursor && html`<p class="steps"><a class="button" rel="next" href="${addressWith("/board", { ...page.search, cursor: nextCursor, ...(language.chosen && { lang: language.code }) })}">${board.more}</a></p>`}
  </section>`;
}

function resultView(freight: PublicFreight, language: FreightLanguage): Markup {
  const { currentPrice, payment, requirements, totalDistance, freightId } = freight;
  const [first] = freight.locations;
  const load = [
    requirements.capacity !== undefined && tonnes(requirements.capacity, language),
    requirements.ldm !== undefined && unitOf(requirements.ldm, "meter", language),
  ].filter(Boolean);
  const chosen = language.chosen && `?lang=${language.code}`;
  return html`<li class="card">
    <h3><a href="/board/${freightId}${chosen}">${titleOf(freight)}</a></h3>
    <p class="when">${first && periodAt(first, language, { year: false })}</p>
    <p class="load">
      ${[totalDistance !== undefined && unitOf(totalDistance, "kilometer", language), ...load].filter(Boolean).join(" · ")}
    </p>
    <p class="trailer">${trailersOf(freight, language)}</p>
    <p class="amount">
      ${currentPrice === undefined ? language.words.priceOpen : moneyOf(currentPrice, payment.currency, language)}
    </p>
  </li>`;
}

/** Appends parameters to a path, as its query. Leaves out those that are undefined. */
export function addressWith(path: string, parameters: Record<string, string | number | undefined>): string {
  const present = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(present.map(([name, value]) => [name, String(value)]));
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}
