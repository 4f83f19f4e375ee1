import { steps as accountSteps } from "../accounts/index.ts";
import * as companies from "../companies.ts";
import { alone } from "../../kit/alone.ts";
import type { Env, Job } from "../../kit/env.ts";
import { logFault } from "../../kit/log.ts";
import { sendMail } from "../../kit/mail.ts";
import { askOwner } from "../../kit/owners.ts";
import { erased } from "../../kit/person.ts";
import { shareSteps } from "./share-steps.ts";
import type { Share } from "./shares.ts";
import { timesAt } from "./stops.ts";
import type { PublicFreight, StopView } from "./views.ts";

/** Mails that are on their way at once; what came of them is written down before the next ones go. */
const mostAtOnce = 50;
/** No round of mails takes this long. */
const roundMilliseconds = 120_000;

/**
 * Mails the links that nobody has mailed yet, each once. May be asked for twice: one mails at a time, and looks again when
 * its round is over, so that whoever found it at work need not wait for it.
 * @throws when one was not taken; those that were are not sent again
 */
export async function mailShares(job: Pick<Job, "company" | "id">, env: Env): Promise<void> {
  const { company, id } = job;
  const failed: string[] = [];
  const place = { name: `freights/mailing/${id}`, milliseconds: roundMilliseconds };
  while ((await left(job, env, failed)).shares.length > 0) {
    const round = await alone(env, company, place, () => mailRound(job, env, failed));
    if (!round) return;
    failed.push(...round);
  }
  await askOwner(env, shareSteps.mailed, { company, id }, { mailed: [], unsendable: [], blocked: [] });
  if (failed.length > 0) throw new Error(`${failed.length} mails were not taken.`);
}

/** What must be mailed next, but for those that this work was refused. */
const left = async ({ company, id }: Pick<Job, "company" | "id">, env: Env, but: string[]) =>
  (await askOwner(env, shareSteps.toMail, { company, id }, { but, most: mostAtOnce })).reply;

/** @returns those that were not taken */
async function mailRound(job: Pick<Job, "company" | "id">, env: Env, but: string[]): Promise<string[]> {
  const { company, id } = job;
  const { freight, shares } = await left(job, env, but);
  const { name } = (await askOwner(env, companies.steps.facts, { company, id: company }, {})).reply;
  const { reply: blocked } = await askOwner(
    env,
    accountSteps.blockedOf,
    { company, id: company },
    { emails: shares.map(({ email }) => email) },
  );
  const outcome = async (share: (typeof shares)[number]): Promise<Outcome> =>
    blocked.includes(share.email) || share.email === erased.email
      ? "Blocked"
      : mailed(env, invitation(freight, share, name), share);
  const outcomes = await Promise.all(shares.map(outcome));
  const those = (wanted: Outcome) => shares.flatMap(({ shareId }, at) => (outcomes[at] === wanted ? [shareId] : []));
  const settled = { mailed: those("Sent"), unsendable: those("NoSender"), blocked: those("Blocked") };
  await askOwner(env, shareSteps.mailed, { company, id }, settled);
  return those("Failed");
}

type Outcome = "Sent" | "NoSender" | "Blocked" | "Failed";

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
  { name, message, hidePrice, byBoard, link }: Share & { link: string },
  company: string,
): { subject: string; text: string } {
  const [first, last] = [locations[0]!, locations.at(-1)!];
  const term = payment.term === undefined ? "" : `, paid within ${payment.term} days`;
  const price =
    hidePrice || currentPrice === undefined ? [] : [`Price: ${currentPrice.toFixed(2)} ${payment.currency}${term}`];
  const lines = [
    // A passer-by may call itself anything: it writes nothing into a mail of ours.
    name && !byBoard ? `Hello ${name},` : "Hello,",
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

const dayOf = (stop: StopView) => {
  const { startDate } = timesAt(stop);
  return startDate ? `, ${startDate.slice(0, 10)}` : "";
};

function timesOf(stop: StopView): string {
  const { startDate, endDate } = timesAt(stop);
  const times = [startDate, endDate].filter((time) => time !== undefined);
  return times.length > 0 ? `, ${times.join(" to ")}` : "";
}
