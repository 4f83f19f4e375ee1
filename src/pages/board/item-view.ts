import * as z from "zod";
import type { PublicFreight } from "../../areas/freights/views.ts";
import { LineText } from "../../domain/shapes.ts";
import { loadView, priceView, routeView } from "../freight/facts.ts";
import { fieldView, type FormState } from "../freight/form.ts";
import { headView } from "../freight/head.ts";
import type { FreightLanguage } from "../../i18n/language.ts";
import { icon } from "../frame/icons.ts";
import { html, type Markup } from "../html.ts";

/** Fields of the form that requests a link. */
export const LinkRequest = z.object({
  name: LineText(200).trim().min(1, "It must not be empty"),
  email: z.email("Not an e-mail address").max(254),
});

/** The form as it was sent with errors. */
export interface LinkRequestState {
  sent?: FormState | undefined;
}

export interface ItemPage extends LinkRequestState {
  freight: PublicFreight;
  language: FreightLanguage;
  /** Whether the deployment sends mail. */
  canRequestLink: boolean;
}

/** Renders the `<main>` of a freight on the board. */
export function itemView({ freight, language, canRequestLink: mayAsk, sent }: ItemPage): Markup {
  const { words } = language;
  const all = `/board${language.chosen ? `?lang=${language.code}` : ""}`;
  return html`<main id="main" tabindex="-1">
    <p class="back-to"><a href="${all}">← ${words.board.all}</a></p>
    ${headView(freight, undefined, language)}
    <div class="deal">
      <div class="card pay">
        ${priceView(freight, language)}
        ${mayAsk && html`<a class="button main to-offer" href="#ask">${words.form.title}</a>`}
      </div>
      <div class="freight-facts">${routeView(freight, language)} ${loadView(freight, language)}</div>
      ${mayAsk && linkRequestForm(language, sent)}
    </div>
  </main>`;
}

const linkRequestForm = (language: FreightLanguage, sent: FormState | undefined): Markup => {
  const { board, form } = language.words;
  const name = { name: "name", label: form.company, more: html`autocomplete="organization" maxlength="200"` };
  const email = { name: "email", label: form.email, more: html`type="email" autocomplete="email" maxlength="254"` };
  return html`<section class="offer card" id="ask" aria-labelledby="ask-title">
    <h2 id="ask-title">${board.askTitle}</h2>
    <p class="why">${board.askText}</p>
    ${sent && html`<p class="notice" data-state="Rejected" role="alert">${icon("bad")}<span>${sent.message}</span></p>`}
    <form method="post" action="#ask" novalidate>
      ${fieldView("ask", name, sent)} ${fieldView("ask", email, sent)}
      <button class="button main">${board.ask}</button>
    </form>
  </section>`;
};
