import type { Voice } from "../voice.ts";
import type { Load, Order } from "../world/order.ts";
import { joinPresent, labelledItems } from "./labelled-items.ts";
import { sayings } from "./parties.ts";
import type { Block, Item } from "./sheet.ts";

const IN_SENTENCE = ["goods", "pallets", "weight"];

/** Lists the fields of the goods, with their weight and size. */
export function loadItems(
  voice: Voice,
  { goods, pallets, packages, weight, ldm, volume, dimensions: size }: Load,
): Item[] {
  const { figures } = voice;
  const counted = (count: number | undefined, of: "eurPallets" | "packages"): string | undefined =>
    count === undefined
      ? undefined
      : joinPresent(" ", [figures.number(count), !figures.bareCounts && voice.phrase(of)]);
  const items = labelledItems(voice, [
    ["goods", goods],
    ["pallets", counted(pallets, "eurPallets")],
    ["quantity", counted(packages, "packages")],
    ["weight", figures.weight(weight, figures.unitInLabel)],
    ["ldm", ldm !== undefined && figures.metres(ldm)],
    ["volume", volume !== undefined && `${volume} m3`],
    ["dimensions", size && `${size.length}x${size.width}x${size.height} cm`],
  ]);
  if (!figures.unitInLabel) return items;
  return items.map((item) =>
    item.about === "weight" ? { ...item, label: `${item.label} (${figures.pounds ? "lbs" : "kg"})` } : item,
  );
}

/** Lists the fields of the transport requirements. */
function handlingItems(voice: Voice, { handling, container }: Order): Item[] {
  const { temperature, continuous, adr, exchange, stackable } = handling;
  return labelledItems(voice, [
    [
      "temperature",
      temperature &&
        joinPresent(", ", [voice.figures.temperature(temperature), continuous && voice.phrase("continuous")]),
    ],
    ["adr", adr && joinPresent(", ", [voice.answer(adr.tells), adr.code])],
    ["exchange", exchange !== undefined && voice.answer(exchange)],
    ["stackable", stackable !== undefined && voice.answer(stackable)],
    ["container", container?.number],
    ["containerType", container?.type],
  ]);
}

/** Says the goods in a sentence. */
export function loadSays(voice: Voice, load: Load): string {
  const { goods, pallets, weight } = load;
  if (goods === undefined || pallets === undefined) return sayings(loadItems(voice, load));
  const values = { goods, weight: voice.figures.weight(weight), pallets: `${pallets} ${voice.phrase("eurPallets")}` };
  const rest = loadItems(voice, load).filter(({ about }) => !IN_SENTENCE.includes(about));
  return joinPresent(" ", [voice.sentence("goods", values), sayings(rest)]);
}

/** Lists pallets and weight of all loadings together. */
export function totals(voice: Voice, { stops }: Order): Item[] {
  const loads = stops.flatMap(({ type, load }) => (type === "Loading" && load ? [load] : []));
  const pallets = loads.reduce((sum, load) => sum + (load.pallets ?? 0), 0);
  const weight = loads.reduce((sum, load) => sum + load.weight, 0);
  return loadItems(voice, { weight, ...(pallets > 0 && { pallets }) });
}

export function cargoBlock(voice: Voice, order: Order): Block {
  const items = handlingItems(voice, order);
  return { role: "cargo", title: voice.label("cargo"), items, says: sayings(items) };
}
