import * as z from "zod";
import type { Env } from "../platform/env.ts";
import { deriveSecret } from "../platform/seal.ts";
import { LineText } from "./shapes.ts";

/** The number of a fuel or toll card. Only its last four characters are stored and displayed. */
export const CardNumber = LineText(60)
  .transform((number) => number.toUpperCase().replace(/[^A-Z0-9]/g, ""))
  .pipe(z.string().min(5, "Fewer than 5 letters and digits").max(30, "More than 30 letters and digits"));

export const LastFour = z.string().regex(/^[A-Z0-9]{4}$/i, "Not four letters or digits");

export interface StoredCard {
  last4: string;
  /** A keyed digest. It is always the same for this number and company, and useless in other deployments. */
  digest: string;
}

/** Converts a card number to the stored form. @param number as parsed by {@link CardNumber} */
export const toStoredCard = (env: Env, company: string, number: string): StoredCard => ({
  last4: number.slice(-4),
  digest: deriveSecret(env, `${company}/card/${number}`),
});
