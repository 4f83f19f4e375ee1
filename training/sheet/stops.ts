import type { Voice } from "../voice.ts";
import type { Label } from "../words/words.ts";
import type { Order, Stop } from "../world/order.ts";
import { loadItems, loadSays } from "./cargo.ts";
import { joinPresent, labelledItems } from "./labelled-items.ts";
import { addressItems, oneLine } from "./parties.ts";
import type { Block, Item } from "./sheet.ts";

const TITLES: Record<Stop["type"], Label> = {
  Loading: "loading",
  Unloading: "unloading",
  Customs: "customs",
  EmptyReturn: "stop",
};
const VERBS = { Loading: "load", Unloading: "unload", Customs: "customs" } as const;

/** Makes a block for each stop. `numbered` calls a single loading "Loading 1". */
export function stopBlocks(voice: Voice, order: Order, numbered: boolean): Block[] {
  return order.stops.map((stop, at) => {
    const alike = order.stops.filter((other) => other.type === stop.type);
    const number = alike.length > 1 || numbered ? ` ${alike.indexOf(stop) + 1}` : "";
    const empty = `${voice.label("stop")} ${at + 1} (${voice.label("container")})`;
    const { type, load } = stop;
    return {
      role: "stop",
      title: type === "EmptyReturn" ? empty : voice.label(TITLES[type]) + number,
      items: stopItems(voice, stop),
      says: stopSays(voice, stop),
      stop: {
        type,
        short: type === "EmptyReturn" ? empty : voice.shortLabel(TITLES[type]) + number,
        load: load ? loadItems(voice, load) : [],
        loadSays: load ? loadSays(voice, load) : "",
      },
    };
  });
}

function stopItems(voice: Voice, stop: Stop): Item[] {
  return [
    ...labelledItems(voice, [
      ["date", voice.days(stop.window)],
      ["time", voice.hours(stop.window)],
    ]),
    ...addressItems(voice, stop),
    ...labelledItems(voice, [
      [stop.type === "Loading" ? "loadingReference" : "unloadingReference", stop.references.join(", ")],
    ]),
  ];
}

function stopSays(voice: Voice, stop: Stop): string {
  const { type, name, window, references } = stop;
  if (type === "EmptyReturn" || name === "") return "";
  const values = { when: voice.when(window), company: name, address: oneLine(voice, stop) };
  return joinPresent(" ", [
    voice.sentence(VERBS[type], values),
    references.length > 0 && voice.sentence("reference", { reference: references.join(", ") }),
  ]);
}
