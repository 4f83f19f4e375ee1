import type { Voice } from "../voice.ts";
import type { Load, Order } from "../world/order.ts";
import { joinPresent, labelledItems } from "./labelled-items.ts";
import type { Block, Item } from "./sheet.ts";

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
export function handlingItems(voice: Voice, { handling, container }: Order): Item[] {
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

export function cargoBlock(voice: Voice, order: Order, withStops: boolean): Block[] {
  const load = withStops ? undefined : order.stops.find((stop) => stop.type === "Loading")?.load;
  const items = [...(load ? loadItems(voice, load) : []), ...handlingItems(voice, order)];
  return items.length > 0 ? [{ role: "cargo", title: voice.label("cargo"), items }] : [];
}
