import * as z from "zod";
import { LineText } from "./shapes.ts";

/** A licence plate: upper case, without blanks and dashes, as plates are compared. */
export const Plate = LineText(30)
  .transform((plate) =>
    plate
      .normalize("NFKC")
      .toUpperCase()
      .replace(/[\s\p{P}]/gu, ""),
  )
  .pipe(z.string().min(2, "Not a licence plate").max(15, "Not a licence plate"));
