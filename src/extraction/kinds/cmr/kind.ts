import { defineStoredKind } from "../kind.ts";
import { checkCmr } from "./checks.ts";
import { extractCmr } from "./cmr.ts";
import { CmrView } from "./view.ts";

export const cmr = defineStoredKind({
  apiName: { singular: "Cmr", plural: "Cmrs" },
  noun: "CMR",
  phrase: "a CMR note",
  description: "CMR consignment note",
  view: CmrView,
  critical: ["/number", "/sender/name", "/consignee/name", "/takingOver/place", "/delivery/place"],
  sender: "sender",
  titles: ["titleCmr"],
  numberLabels: ["cmrNumber", "titleCmr"],
  extract: extractCmr,
  check: checkCmr,
  index: ({ number, sender, consignee, carrier, successiveCarriers, takingOver, delivery, goods, licensePlates }) => ({
    number,
    date: takingOver?.date,
    parties: [sender, consignee, carrier, ...(successiveCarriers ?? [])],
    licensePlates,
    words: [takingOver?.place, delivery?.place, ...(goods ?? []).map(({ nature }) => nature)],
  }),
  example: {
    number: "CZ-2026-88213",
    sender: { name: "Muster Papierwerke GmbH", country: "DE", city: "Leipzig" },
    consignee: { name: "Drukarnia Przykład Sp. z o.o.", country: "PL", city: "Wrocław" },
    carrier: { name: "Vzorová Doprava s.r.o.", vatCode: "CZ12345679", country: "CZ", city: "Brno" },
    takingOver: { place: "Leipzig", country: "DE", date: "2026-11-24" },
    delivery: { place: "Wrocław", country: "PL", date: "2026-11-25" },
    goods: [{ quantity: 33, packing: "pallets", nature: "Printing paper", grossWeight: 22_400 }],
    licensePlates: ["1BX4821", "2BK9034"],
  },
});
