import type { SharedFreight } from "../../areas/freights/guests/guest.ts";
import type { GuestOffer } from "../../areas/freights/guests/view.ts";
import { icon, type Icon } from "../frame/icons.ts";
import { type FreightLanguage, type Messages, formatMessage } from "../../i18n/language.ts";
import { html, type Markup } from "../html.ts";
import { fieldView, type FormState } from "./form.ts";
import { amountForField, dateForField, moneyOf, localTimeOf } from "./format.ts";

/** The freight, the guest, the guest's offer, and the last sent form. */
export interface OfferPage extends SharedFreight {
  language: FreightLanguage;
  /** Action of the last form, if it succeeded. */
  done?: keyof Messages["freightPages"]["done"] | undefined;
  sent?: FormState | undefined;
}

/** `Refused`: the guest declined a counter-offer. */
type Standing = GuestOffer["status"] | "Refused";

const standingOf = ({ status, declinedBy }: GuestOffer): Standing =>
  status === "Declined" && declinedBy === "Carrier" ? "Refused" : status;

const marks: Record<Standing, [mark: string, icon: Icon]> = {
  Submitted: ["Waiting", "waiting"],
  Countered: ["Missing", "replaced"],
  Outdated: ["Missing", "bad"],
  Accepted: ["Accepted", "good"],
  Declined: ["Rejected", "away"],
  Refused: ["Waiting", "away"],
  Withdrawn: ["Waiting", "away"],
  Expired: ["Waiting", "away"],
};

/** Renders the status of the offer as a sentence. */
export function statusView(page: OfferPage): Markup | undefined {
  const { offer, company, language } = page;
  if (!offer) return undefined;
  const [mark, drawing] = marks[standingOf(offer)];
  return html`<p class="summary" data-state="${mark}">
    ${icon(drawing)}<span>${statusOf(offer, company, language)}</span>
  </p>`;
}

/**
 * Describes the status of the offer. After an offer was closed without a deal, the text names the guest's own last
 * price.
 */
export function statusOf(offer: GuestOffer, company: string, language: FreightLanguage): string {
  const standing = standingOf(offer);
  const isOver = ["Declined", "Withdrawn", "Expired"].includes(standing);
  const own = offer.rounds.findLast(({ by }) => by === "Carrier");
  const price = moneyOf(isOver && own ? own.price : offer.price, offer.currency, language);
  return formatMessage(language.words.status[standing], { company, price });
}

/** Renders the offer with its actions, or the form for a new one. */
export function offerView(page: OfferPage): Markup {
  const { offer, language } = page;
  const { words } = language;
  if (!offer)
    return html`<section class="offer card" id="offer" aria-labelledby="offer-title">
      <h2 id="offer-title">${words.form.title}</h2>
      ${noticeView(page)} ${offerForm(page)}
    </section>`;
  return html`<section class="offer card" id="offer" aria-labelledby="offer-title">
    <h2 id="offer-title">${words.offer.title}</h2>
    ${noticeView(page)} ${statusView(page)} ${reasonView(offer, language)} ${validityView(page, offer)}
    ${stepsOf(page, offer)} ${historyView(page, offer)}
  </section>`;
}

function noticeView({ sent, done, language: { words } }: OfferPage): Markup | undefined {
  if (sent)
    return html`<p class="notice" data-state="Rejected" role="alert">${icon("bad")}<span>${sent.message}</span></p>`;
  return done && html`<p class="notice" role="status">${icon("good")}<span>${words.done[done]}</span></p>`;
}

export function reasonView(offer: GuestOffer, language: FreightLanguage): Markup | undefined {
  const text = reasonOf(offer, language);
  return text === undefined ? undefined : html`<p class="why">${text}</p>`;
}

/** Explains why the offer was closed; undefined if the reason is unknown. */
export function reasonOf({ status, reason }: GuestOffer, { words }: FreightLanguage): string | undefined {
  if (!reason || !["Accepted", "Declined", "Expired"].includes(status) || reason === "ValidUntilReached")
    return undefined;
  const texts = words.reason as Record<string, string>;
  return reason !== "stated" && Object.hasOwn(texts, reason)
    ? texts[reason]
    : formatMessage(words.reason.stated, { reason });
}

function validityView({ freight, language }: OfferPage, { status, validUntil }: GuestOffer): Markup | undefined {
  if (!validUntil || !["Submitted", "Countered"].includes(status)) return undefined;
  const time = localTimeOf(validUntil, freight.locations[0]!, language);
  return html`<p class="why">${formatMessage(language.words.offer.validUntil, { time })}</p>`;
}

function stepsOf(page: OfferPage, offer: GuestOffer): Markup[] {
  const { language, mayOffer } = page;
  const steps: Partial<Record<GuestOffer["mayDo"][number], () => Markup>> = {
    Accept: () => acceptStep(offer, language),
    Confirm: () => confirmStep(page, offer),
    Update: () => priceStep(page, offer, "Update"),
    Counter: () => priceStep(page, offer, "Counter"),
    Decline: () => declineStep(page, offer),
    ...(!offer.mayDo.includes("Decline") && { Withdraw: () => withdrawStep(offer, language) }),
  };
  const wanted = Object.entries(steps).filter(([action]) => (offer.mayDo as string[]).includes(action));
  return [...wanted.map(([, step]) => step()), ...(mayOffer ? [againStep(page)] : [])];
}

/** With this time, the service can refuse an action of a guest who has not seen the last change of the offer. */
const seen = ({ updatedAt }: GuestOffer) => html`<input type="hidden" name="seen" value="${updatedAt}" />`;

const actionOf = (action: string) => html`<input type="hidden" name="action" value="${action}" />`;

const acceptStep = (offer: GuestOffer, language: FreightLanguage) =>
  html`<form method="post" action="#offer" id="accept">
    ${actionOf("Accept")}${seen(offer)}
    <button class="button main" aria-describedby="binding">
      ${formatMessage(language.words.offer.accept, { price: moneyOf(offer.price, offer.currency, language) })}
    </button>
    <p class="hint" id="binding">${language.words.offer.binding}</p>
  </form>`;

const withdrawStep = (offer: GuestOffer, { words }: FreightLanguage) =>
  html`<form method="post" action="#offer" id="withdraw">
    ${actionOf("Withdraw")}${seen(offer)}<button class="button quiet">${words.offer.withdraw}</button>
  </form>`;

function priceStep(page: OfferPage, offer: GuestOffer, action: "Update" | "Counter"): Markup {
  const { words } = page.language;
  const id = action.toLowerCase();
  const text = { Update: words.offer.update, Counter: words.offer.counter }[action];
  return html`<details ${page.sent?.form === id && html` open`} id="${id}-more">
    <summary>${text}</summary>
    <form method="post" action="#offer" id="${id}" novalidate>
      ${actionOf(action)}${seen(offer)}${priceField(id, page, action === "Update" ? offer.price : undefined)}
      ${messageField(id, "comment", page)}
      <button class="button main">${words.offer.send}</button>
    </form>
  </details>`;
}

const confirmStep = (page: OfferPage, offer: GuestOffer) =>
  html`<form method="post" action="#offer" id="confirm" novalidate>
    ${actionOf("Confirm")}${seen(offer)}${priceField("confirm", page, offer.price)}
    ${offer.validUntil && validUntilField("confirm", page, dateForField(offer.validUntil, page.freight.locations[0]!))}
    <button class="button main">${page.language.words.offer.confirm}</button>
  </form>`;

const declineStep = (page: OfferPage, offer: GuestOffer) =>
  html`<details ${page.sent?.form === "decline" && html` open`} id="decline-more">
    <summary>${page.language.words.offer.decline}</summary>
    <form method="post" action="#offer" id="decline">
      ${actionOf("Decline")}${seen(offer)}${messageField("decline", "reason", page)}
      <button class="button quiet">${page.language.words.offer.decline}</button>
    </form>
  </details>`;

const againStep = (page: OfferPage) =>
  html`<details ${page.sent?.form === "new" && html` open`} id="new-more">
    <summary>${page.language.words.offer.again}</summary>
    ${offerForm(page)}
  </details>`;

const priceField = (id: string, { freight, language, sent }: OfferPage, price?: number) =>
  fieldView(
    id,
    {
      name: "price",
      label: formatMessage(language.words.form.price, { currency: freight.payment.currency }),
      value: price === undefined ? undefined : amountForField(price, language),
      more: html`class="amount" inputmode="decimal" autocomplete="off" maxlength="20"`,
    },
    sent,
  );

const validUntilField = (id: string, { language: { words }, sent }: OfferPage, value?: string) =>
  fieldView(
    id,
    {
      name: "validUntil",
      label: words.form.validUntil,
      optional: words.form.optional,
      hint: words.form.validUntilClock,
      value,
      more: html`type="datetime-local"`,
    },
    sent,
  );

const messageField = (id: string, name: string, { language: { words }, sent }: OfferPage) =>
  fieldView(
    id,
    { name, label: words.offer.message, optional: words.form.optional, isLong: true, more: html`maxlength="2000"` },
    sent,
  );

function offerForm(page: OfferPage): Markup {
  const { guest, language, sent } = page;
  const { form } = language.words;
  const { optional } = form;
  const field = (more: Parameters<typeof fieldView>[1]) => fieldView("new", more, sent);
  return html`<form method="post" action="#offer" id="new" novalidate>
    ${actionOf("Offer")}${priceField("new", page)}
    ${field({ name: "name", label: form.company, value: guest.name, more: html`autocomplete="organization" maxlength="200"` })}
    <p class="field"><span class="label">${form.email}</span> <span class="fixed">${guest.email}</span></p>
    ${field({ name: "vatCode", label: form.vatCode, optional, more: html`autocomplete="off" maxlength="30" spellcheck="false"` })}
    ${field({ name: "vehicle", label: form.vehicle, optional, more: html`autocomplete="off" maxlength="200" spellcheck="false"` })}
    ${validUntilField("new", page)}
    ${field({ name: "comments", label: form.comments, optional, isLong: true, more: html`maxlength="5000"` })}
    <button class="button main">${form.send}</button>
  </form>`;
}

function historyView({ company, freight, language }: OfferPage, { rounds, currency }: GuestOffer): Markup {
  const { words } = language;
  return html`<h3 class="history-title" id="history">${words.offer.history}</h3>
    <ol class="history" aria-labelledby="history">
      ${rounds.map(
        ({ by, price, at, comment }) =>
          html`<li data-by="${by}">
            <p>
              <span class="who">${by === "Carrier" ? words.offer.you : company}</span>
              <strong>${moneyOf(price, currency, language)}</strong>
              <time datetime="${at}">${localTimeOf(at, freight.locations[0]!, language)}</time>
            </p>
            ${comment && html`<p class="comment">${comment}</p>`}
          </li>`,
      )}
    </ol>`;
}
