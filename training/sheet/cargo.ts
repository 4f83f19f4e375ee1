import type { Voice } from "../voice.ts";
import type { Label } from "../words/words.ts";
import type { Load, Order } from "../world/order.ts";
import type { Block, Item } from "./sheet.ts";

/** What is loaded: the goods, their weight and size. */
export function loadItems(voice: Voice, load: Load): Item[] {
  const { figures } = voice;
  const items: Item[] = [];
  const say = (about: Label, value: string | undefined): void => {
    if (value !== undefined) items.push({ about, label: voice.label(about), value });
  };
  say("goods", load.goods);
  say("pallets", load.pallets === undefined ? undefined : `${load.pallets} ${voice.phrase("eurPallets")}`);
  say("quantity", load.packages === undefined ? undefined : `${figures.number(load.packages)} ${voice.phrase("packages")}`);
  say("weight", figures.weight(load.weight));
  say("ldm", load.ldm === undefined ? undefined : figures.metres(load.ldm));
  say("volume", load.volume === undefined ? undefined : `${load.volume} m3`);
  const size = load.dimensions;
  say("dimensions", size && `${size.length}x${size.width}x${size.height} cm`);
  return items;
}

/** How it is to be carried. */
export function handlingItems(voice: Voice, { handling, container }: Order): Item[] {
  const items: Item[] = [];
  const say = (about: Label, value: string | undefined): void => {
    if (value !== undefined) items.push({ about, label: voice.label(about), value });
  };
  const { temperature, continuous, adr, exchange, stackable } = handling;
  say("temperature", temperature && [voice.figures.temperature(temperature), continuous && voice.phrase("continuous")].filter(Boolean).join(", "));
  say("adr", adr && [voice.answer(adr.tells), adr.code].filter(Boolean).join(", "));
  say("exchange", exchange === undefined ? undefined : voice.answer(exchange));
  say("stackable", stackable === undefined ? undefined : voice.answer(stackable));
  say("container", container?.number);
  say("containerType", container?.type);
  return items;
}

export function cargoBlock(voice: Voice, order: Order, withStops: boolean): Block[] {
  const load = withStops ? undefined : order.stops.find((stop) => stop.type === "Loading")?.load;
  const items = [...(load ? loadItems(voice, load) : []), ...handlingItems(voice, order)];
  return items.length > 0 ? [{ role: "cargo", title: voice.label("cargo"), items }] : [];
}
