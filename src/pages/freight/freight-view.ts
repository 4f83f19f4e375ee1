import { formatMessage } from "../../i18n/language.ts";
import { html, type Markup } from "../html.ts";
import { loadView, priceView, routeView } from "./facts.ts";
import { headView } from "./head.ts";
import { offerView, type OfferPage } from "./offer-view.ts";

/** Renders the `<main>` of a freight page. */
export function freightView(page: OfferPage): Markup {
  const { freight, company, language, offer } = page;
  const { words } = language;
  const facts = html`<div class="freight-facts">${routeView(freight, language)} ${loadView(freight, language)}</div>`;
  return html`<main id="main" tabindex="-1" class="freight">
    ${headView(freight, company, language)}
    ${page.guest.message && html`<blockquote class="message">${page.guest.message}</blockquote>`}
    <div class="deal">${priceCard(page)} ${offer ? [offerView(page), facts] : [facts, offerView(page)]}</div>
    <p class="private">${formatMessage(words.private, { company })}</p>
  </main>`;
}

const priceCard = ({ freight, offer, language }: OfferPage) =>
  html`<div class="card pay">
    ${priceView(freight, language)}
    ${!offer && html`<a class="button main to-offer" href="#offer">${language.words.form.title}</a>`}
  </div>`;
