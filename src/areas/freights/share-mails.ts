import * as companies from "../companies.ts";
import type { Env, Job } from "../../kit/env.ts";
import { logFault } from "../../kit/log.ts";
import { sendMail } from "../../kit/mail.ts";
import { askOwner } from "../../kit/owners.ts";
import { shareSteps } from "./share-steps.ts";
import type { Share } from "./shares.ts";
import type { PublicFreight, StopView } from "./views.ts";

/**
 * Mails the links that nobody has mailed yet, each once. May be done twice: a mail has the id of its share.
 * @throws when one was not taken; those that were are not sent again
 */
export async function mailShares({ company, id }: Pick<Job, "company" | "id">, env: Env): Promise<void> {
  const call = { company, id };
  const { freight, shares } = (await askOwner(env, shareSteps.toMail, call, {})).reply;
  const { name } = (await askOwner(env, companies.steps.facts, { company, id: company }, {})).reply;
  const outcomes = await Promise.all(shares.map((share) => mailed(env, invitation(freight, share, name), share)));
  const those = (wanted: Outcome) => shares.flatMap(({ shareId }, at) => (outcomes[at] === wanted ? [shareId] : []));
  await askOwner(env, shareSteps.mailed, call, { mailed: those("Sent"), unsendable: those("NoSender") });
  const failed = those("Failed").length;
  if (failed > 0) throw new Error(`${failed} of ${shares.length} mails were not taken.`);
}

type Outcome = "Sent" | "NoSender" | "Failed";

async function mailed(
  env: Env,
  said: { subject: string; text: string },
  { shareId, email }: Pick<Share, "shareId" | "email">,
): Promise<Outcome> {
  try {
    return (await sendMail(env, { id: shareId, to: email, ...said })) ? "Sent" : "NoSender";
  } catch (error) {
    logFault("freights.mail", error, { shareId });
    return "Failed";
  }
}

/** The mail with a guest's link. */
function invitation(
  { locations, payment, currentPrice }: PublicFreight,
  { name, message, hidePrice, link }: Share & { link: string },
  company: string,
): { subject: string; text: string } {
  const [first, last] = [locations[0]!, locations.at(-1)!];
  const term = payment.term === undefined ? "" : `, paid within ${payment.term} days`;
  const price =
    hidePrice || currentPrice === undefined ? [] : [`Price: ${currentPrice.toFixed(2)} ${payment.currency}${term}`];
  const lines = [
    name ? `Hello ${name},` : "Hello,",
    `${company} has a freight for you:`,
    [...locations.map((stop) => `${stop.type}: ${placeOf(stop)}${timesOf(stop)}`), ...price].join("\n"),
    ...(message ? [message] : []),
    `See it and make your offer: ${link}`,
    "The link is for you alone: whoever has it deals in your name.",
  ];
  return { subject: `Freight ${placeOf(first)} – ${placeOf(last)}${dayOf(first)}`, text: `${lines.join("\n\n")}\n` };
}

const placeOf = ({ address: { countryCode, postalCode, city } }: StopView) =>
  [countryCode, postalCode, city].filter(Boolean).join(" ");

const dayOf = ({ period: { startDate } }: StopView) => (startDate ? `, ${startDate.slice(0, 10)}` : "");

function timesOf({ period }: StopView): string {
  const times = [period.startDate, period.endDate].flatMap((time) => (time ? [time.replace("T", " ")] : []));
  return times.length > 0 ? `, ${times.join(" to ")}` : "";
}
