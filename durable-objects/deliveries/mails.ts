import type { Transition } from "../../src/areas/webhooks/health.ts";
import { greeting, warning } from "../../src/areas/webhooks/mails.ts";
import { aboutMail, type Recipient } from "../../src/areas/webhooks/model.ts";
import type { Env } from "../../src/platform/env.ts";
import { newId } from "../../src/platform/ids.ts";
import { formatShareLink } from "../../src/platform/share-link.ts";
import { log, logFault } from "../../src/platform/log.ts";
import { sendMail, type Mail } from "../../src/platform/mail.ts";
import { toAuthenticationView } from "../../src/platform/receivers/index.ts";
import { deriveSecret } from "../../src/platform/seal.ts";
import type { Tables } from "../aggregate/tables.ts";
import type { Run } from "./deliveries.ts";
import type { Terms } from "./sender.ts";

const minute = 60_000;
/** Delays before the retries of a mail. After the last retry it is given up. */
const retries = [minute, 5 * minute, 30 * minute, 120 * minute];
const aDay = 24 * 60 * minute;
/** How long mails are stored, so that none is repeated within one series of failures. */
const remembered = 40 * aDay;
/** Maximum number of mails per day to one address about one webhook. */
const mostADay = 4;

type Waiting = { key: string; email: string; json: string; tries: number };

/**
 * The mails of one subscription. Each is stored once, under a key that identifies its occasion, and sent until it is
 * accepted or given up.
 */
export class Mails {
  private readonly storage: DurableObjectStorage;
  private readonly tables: Tables;
  private readonly env: Env;
  private readonly terms: () => Terms | undefined;

  constructor(storage: DurableObjectStorage, tables: Tables, env: Env, terms: () => Terms | undefined) {
    this.storage = storage;
    this.tables = tables;
    this.env = env;
    this.terms = terms;
  }

  /**
   * Stores one mail to each recipient, to be sent later; at most one per transition and series of failures. Must be
   * called in the commit that detected the transition.
   */
  sendHealthMail(transition: Transition, run: Run): void {
    const { epoch, since } = run;
    const terms = this.terms();
    for (const { email } of terms?.subscription.emails ?? [])
      this.write(
        `${epoch}:${since}:${transition}:${email}`,
        email,
        warning(transition, this.about(terms!, email), run),
      );
  }

  /** Stores a mail with a link to unsubscribe for each newly added recipient, to be sent later. Others get no mail. */
  sendConfirmation(recipients: Recipient[]): void {
    const terms = this.terms();
    if (!terms) return;
    for (const { email, addedAt } of recipients)
      this.write(`greeting:${addedAt}:${email}`, email, greeting(this.about(terms, email)));
  }

  nextDue(): number | undefined {
    if (!this.exist()) return undefined;
    return (
      this.storage.sql
        .exec<{ due: number | null }>("select min(iif(state = 'Waiting', due, due + ?)) as due from mail", remembered)
        .one().due ?? undefined
    );
  }

  /** Sends due mails whose address is still a recipient. */
  async send(): Promise<void> {
    if (!this.exist()) return;
    const due = this.storage.sql
      .exec<Waiting>(
        "select key, email, json, tries from mail where state = 'Waiting' and due <= ? limit 20",
        Date.now(),
      )
      .toArray();
    for (const mail of due) {
      const isWanted = this.terms()?.subscription.emails?.some(({ email }) => email === mail.email);
      if (isWanted) await this.sent(mail);
      else this.settle(mail.key, "Dropped");
    }
    this.storage.sql.exec("delete from mail where state <> 'Waiting' and due <= ?", Date.now() - remembered);
  }

  /** Deletes mails to or about a person. @returns whether any were deleted */
  erase(isGone: (text: string) => boolean): boolean {
    if (!this.exist()) return false;
    const rows = this.storage.sql.exec<{ key: string; json: string }>("select key, json from mail").toArray();
    const gone = rows.filter(({ json }) => isGone(json));
    for (const { key } of gone) this.storage.sql.exec("delete from mail where key = ?", key);
    return gone.length > 0;
  }

  private async sent({ key, json, tries }: Waiting): Promise<void> {
    const wait = retries[tries];
    this.storage.sql.exec("update mail set tries = tries + 1, due = ? where key = ?", Date.now() + (wait ?? 0), key);
    try {
      const taken = await sendMail(this.env, JSON.parse(json) as Mail);
      this.settle(key, taken ? "Sent" : "NoSender");
      log({ what: "mail", taken });
    } catch (error) {
      logFault("mail", error);
      if (wait === undefined) this.settle(key, "Failed");
    }
  }

  private write(key: string, email: string, mail: Omit<Mail, "id" | "to">): void {
    this.tables.ensure(
      "mail",
      "(key text primary key, email text not null, json text not null, state text not null, tries integer not null default 0, due integer not null, created integer not null) without rowid",
    );
    const now = Date.now();
    const { n } = this.storage.sql
      .exec<{ n: number }>("select count(*) as n from mail where email = ? and created > ?", email, now - aDay)
      .one();
    const state = n >= mostADay ? "Dropped" : "Waiting";
    this.storage.sql.exec(
      "insert or ignore into mail (key, email, json, state, due, created) values (?1, ?2, ?3, ?4, ?5, ?5)",
      key,
      email,
      JSON.stringify({ id: newId(), to: email, ...mail } satisfies Mail),
      state,
      now,
    );
  }

  private settle(key: string, state: "Sent" | "NoSender" | "Failed" | "Dropped"): void {
    this.storage.sql.exec("update mail set state = ?, due = ? where key = ?", state, Date.now(), key);
  }

  private about({ subscription, company, id }: Terms, email: string) {
    const secret = deriveSecret(this.env, `${company}/${id}/${aboutMail(email)}`);
    const { callbackUrl, authentication } = subscription;
    const host = callbackUrl
      ? new URL(callbackUrl).host
      : authentication
        ? toAuthenticationView(authentication).type
        : "";
    const unsubscribeUrl = `${subscription.address}/mail/${formatShareLink(company, id, secret)}`;
    return { host, description: subscription.description, subscriptionId: id, unsubscribeUrl };
  }

  private exist(): boolean {
    return this.tables.has("mail");
  }
}
