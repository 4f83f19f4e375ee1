import * as companies from "../../companies.ts";
import type { Env } from "../../../kit/env.ts";
import { askOwner } from "../../../kit/owners.ts";
import { mailGuests, mailInRounds, mostAtOnce, type Mailing, type Outcome } from "../guests/mails.ts";
import { timesAt } from "../stops.ts";
import type { PublicFreight, StopView } from "../views.ts";
import { shareSteps } from "./steps.ts";
import type { Share } from "./shares.ts";

/** Mails the links that nobody has mailed yet, each once. @see mailInRounds */
export async function mailShares(job: Mailing, env: Env): Promise<void> {
  const { company, id } = job;
  const left = async (but: string[]) =>
    (await askOwner(env, shareSteps.toMail, { company, id }, { but, most: mostAtOnce })).reply;
  await mailInRounds(job, env, {
    place: `freights/mailing/${id}`,
    left: async (but) => {
      const { freight, shares } = await left(but);
      return shares.map((share) => ({ freight, share }));
    },
    round: (invited) => mailRound(job, env, invited),
    finish: () => askOwner(env, shareSteps.mailed, { company, id }, { mailed: [], unsendable: [], blocked: [] }),
  });
}

interface Invited {
  freight: PublicFreight;
  share: Share & { link: string };
}

/** @returns those that were not taken */
async function mailRound(job: Mailing, env: Env, invited: Invited[]): Promise<string[]> {
  const { company, id } = job;
  const { name } = (await askOwner(env, companies.steps.facts, { company, id: company }, {})).reply;
  const mails = invited.map(({ freight, share }) => ({
    id: share.shareId,
    to: share.email,
    ...invitation(freight, share, name),
  }));
  const outcomes = await mailGuests(env, job, mails);
  const those = (wanted: Outcome) =>
    invited.flatMap(({ share: { shareId } }, at) => (outcomes[at] === wanted ? [shareId] : []));
  const settled = { mailed: those("Sent"), unsendable: those("NoSender"), blocked: those("Blocked") };
  await askOwner(env, shareSteps.mailed, { company, id }, settled);
  return those("Failed");
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
