import type { Chance } from "../chance.ts";
import type { Voice } from "../voice.ts";
import type { Label } from "../words/words.ts";
import type { Order, Stop } from "../world/order.ts";
import { loadItems } from "./cargo.ts";
import { addressItems } from "./parties.ts";
import { labelledItems } from "./labelled-items.ts";
import type { Block, Item, PartyStyle } from "./sheet.ts";

const TITLES: Record<Stop["type"], Label> = {
  Loading: "loading",
  Unloading: "unloading",
  Customs: "customs",
  EmptyReturn: "stop",
};

export interface StopStyle {
  party: PartyStyle;
  /** Whether day and time are separate fields. */
  splitTime: boolean;
  timeFirst: boolean;
  /** Whether the goods are printed with the loading; otherwise they have a block of their own. */
  withLoad: boolean;
  numbered: boolean;
}

export function stopStyle(chance: Chance, party: PartyStyle, order: Order): StopStyle {
  const several = order.stops.filter((stop) => stop.type === "Loading").length > 1;
  return {
    party,
    splitTime: chance.happens(0.4),
    timeFirst: chance.happens(0.5),
    withLoad: several || chance.happens(0.2),
    numbered: chance.happens(0.5),
  };
}

export function stopBlocks(voice: Voice, order: Order, style: StopStyle): Block[] {
  return order.stops.map((stop, at) => {
    const alike = order.stops.filter((other) => other.type === stop.type);
    const number = alike.length > 1 || style.numbered ? ` ${alike.indexOf(stop) + 1}` : "";
    const title =
      stop.type === "EmptyReturn"
        ? `${voice.label("stop")} ${at + 1} (${voice.label("container")})`
        : voice.label(TITLES[stop.type]) + number;
    return { role: "stop", stop: stop.type, title, items: stopItems(voice, stop, style) };
  });
}

function stopItems(voice: Voice, stop: Stop, style: StopStyle): Item[] {
  const address = addressItems(voice, stop, style.party);
  const when = whenItems(voice, stop, style.splitTime);
  const references = labelledItems(voice, [
    [stop.type === "Loading" ? "loadingReference" : "unloadingReference", stop.references.join(", ")],
  ]);
  const load = stop.load && (style.withLoad || stop.type === "Unloading") ? loadItems(voice, stop.load) : [];
  return [...(style.timeFirst ? [...when, ...address] : [...address, ...when]), ...references, ...load];
}

function whenItems(voice: Voice, { window }: Stop, split: boolean): Item[] {
  return labelledItems(
    voice,
    split
      ? [
          ["date", voice.days(window)],
          ["time", voice.hours(window)],
        ]
      : [["when", voice.when(window)]],
  );
}
