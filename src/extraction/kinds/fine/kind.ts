import { defineStoredKind } from "../kind.ts";
import { checkFine } from "./checks.ts";
import { extractFine } from "./fine.ts";
import { FineView } from "./view.ts";

export const fine = defineStoredKind({
  apiName: { singular: "Fine", plural: "Fines" },
  noun: "Fine",
  phrase: "a fine",
  description: "fine",
  view: FineView,
  critical: ["/reference", "/authority", "/offenceAt", "/licensePlate", "/amount", "/currency"],
  sender: "authority",
  titles: ["titleFine"],
  numberLabels: ["fineReference", "reference", "titleFine"],
  extract: extractFine,
  check: checkFine,
  index: ({ reference, authority, offenceAt, place, offenceType, licensePlate, amount, currency }) => ({
    number: reference,
    date: offenceAt,
    parties: [authority],
    licensePlates: [licensePlate],
    amount,
    currency,
    words: [place, offenceType],
  }),
  example: {
    reference: "AZ 505.118.442-7",
    authority: "Bußgeldstelle Beispielstadt",
    offenceAt: "2026-10-14T07:42",
    place: "A 14, km 88,2",
    offenceType: "Speeding",
    measuredSpeed: 96,
    speedLimit: 80,
    licensePlate: "1BX4821",
    plateCountry: "CZ",
    amount: 90,
    currency: "EUR",
    dueDate: "2026-11-30",
  },
});
