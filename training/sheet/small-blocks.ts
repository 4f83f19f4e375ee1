import { filled } from "../voice.ts";
import type { Voice } from "../voice.ts";
import type { Label } from "../words/words.ts";
import type { Order } from "../world/order.ts";
import { joinPresent, labelledItems } from "./labelled-items.ts";
import { sayings } from "./parties.ts";
import type { Block, Item } from "./sheet.ts";

/** Lists the numbers and dates at the top. */
export function headItems(voice: Voice, { number, date, reference }: Order): Item[] {
  return labelledItems(voice, [
    ["orderNumber", number],
    ["orderDate", voice.date(date)],
    ["reference", reference],
  ]);
}

/**
 * Makes the block of the vehicle and its driver, with the plates in one field or in two. If the carrier has not named
 * the vehicle yet, the field of the driver may say "to be advised".
 */
export function vehicleBlock(voice: Voice, { tractorPlate, trailerPlate, trailerType, driver, carrier }: Order): Block {
  const pending = carrier && !tractorPlate ? voice.phrase("pending") : undefined;
  const plates: [Label, string | undefined][] =
    voice.platesTogether && tractorPlate && trailerPlate
      ? [["plates", `${tractorPlate} / ${trailerPlate}`]]
      : [
          ["tractor", tractorPlate],
          ["trailer", trailerPlate],
        ];
  const items = labelledItems(voice, [
    ["vehicleType", trailerType && voice.trailer(trailerType)],
    ...plates,
    ["driver", driver?.name ?? pending],
    ["driverPhone", driver?.phone],
  ]);
  return { role: "vehicle", title: voice.label("vehicle"), items, says: vehicleSays(voice, items) };
}

function vehicleSays(voice: Voice, items: Item[]): string {
  const value = (of: Label): string | undefined => items.find(({ about }) => about === of)?.value;
  const plates = value("plates") ?? joinPresent(" / ", [value("tractor"), value("trailer")]);
  const [trailer, driver, phone] = [value("vehicleType"), value("driver"), value("driverPhone")];
  const rest = items.filter(({ about }) => about !== "vehicleType");
  return joinPresent(" ", [
    trailer && voice.sentence("vehicle", { trailer }),
    plates && driver && phone ? voice.sentence("driver", { plates, driver, phone }) : sayings(rest),
  ]);
}

export function remarksBlock(voice: Voice, { documents, link, incoterms, cargoValue, distance, price }: Order): Block {
  const ways = {
    Email: voice.phrase("scan"),
    OriginalByPost: voice.phrase("original"),
    PortalUpload: filled(voice.phrase("portal"), { link }),
  };
  const items = labelledItems(voice, [
    ["documents", documents.map((way) => ways[way]).join(", ")],
    ["incoterms", incoterms],
    ["cargoValue", cargoValue !== undefined && voice.figures.money(cargoValue, price.currency)],
    ["distance", distance !== undefined && `${voice.figures.number(distance)} km`],
  ]);
  return { role: "remarks", title: voice.label("remarks"), items, says: sayings(items) };
}
