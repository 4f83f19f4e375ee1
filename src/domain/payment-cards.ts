import * as z from "zod";
import type { Env } from "../platform/env.ts";
import { deriveSecret } from "../platform/seal.ts";
import { LineText } from "./shapes.ts";

/** Numbers of fuel and toll cards: nobody is shown more of one than its end, and nothing more of it is kept. */
export const CardNumber = LineText(60)
  .transform((number) => number.toUpperCase().replace(/[^A-Z0-9]/g, ""))
  .pipe(z.string().min(5, "Fewer than 5 letters and digits").max(30, "More than 30 letters and digits"));

export const LastFour = z.string().regex(/^[A-Z0-9]{4}$/i, "Not four letters or digits");

/** What is kept of a card. */
export interface StoredCard {
  last4: string;
  /** The same for the same number of the same company, and of use to no other deployment. */
  digest: string;
}

/** @param number as {@link CardNumber} gives it */
export const toStoredCard = (env: Env, company: string, number: string): StoredCard => ({
  last4: number.slice(-4),
  digest: deriveSecret(env, `${company}/card/${number}`),
});
