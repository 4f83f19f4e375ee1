import type { Voice } from "../voice.ts";
import type { Order, Stop } from "../world/order.ts";
import { handlingItems, loadItems } from "./cargo.ts";
import { agreed, paymentBlock, term } from "./money.ts";
import { oneLine } from "./parties.ts";
import type { Item } from "./sheet.ts";

const VERBS = { Loading: "load", Unloading: "unload", Customs: "customs", EmptyReturn: "unload" } as const;
const SAID_IN_SENTENCES = ["goods", "pallets", "weight", "price", "paymentTerm"];

/** The order as running text: a paragraph for the stops, the goods, the vehicle and the money. */
export function letter(voice: Voice, order: Order): string[] {
  const { price, trailerType, driver, tractorPlate, trailerPlate } = order;
  const plates = [tractorPlate, trailerPlate].filter(Boolean).join(" / ");
  const simple = price.charges.length === 0 && price.days !== undefined;
  const money = paymentBlock(voice, order).items;
  return [
    voice.sentence("greeting"),
    voice.sentence("intro", { number: order.number }),
    ...order.stops.map((stop) => stopParagraph(voice, stop)),
    sayings(handlingItems(voice, order)),
    [
      trailerType && voice.sentence("vehicle", { trailer: voice.trailer(trailerType) }),
      driver?.phone && plates ? voice.sentence("driver", { plates, driver: driver.name, phone: driver.phone }) : driverSayings(voice, order, plates),
    ].filter(Boolean).join(" "),
    simple ? voice.sentence("price", { price: agreed(voice, price.base, price.currency), days: term(voice, price.days!) }) : "",
    sayings(simple ? money.filter(({ about }) => !SAID_IN_SENTENCES.includes(about)) : money),
  ].filter((paragraph) => paragraph !== "");
}

function stopParagraph(voice: Voice, stop: Stop): string {
  const { load } = stop;
  const goods = load?.goods && load.pallets !== undefined ? voice.sentence("goods", loadValues(voice, load.goods, stop)) : "";
  const rest = load ? loadItems(voice, load).filter(({ about }) => goods === "" || !SAID_IN_SENTENCES.includes(about)) : [];
  return [
    voice.sentence(VERBS[stop.type], { when: voice.when(stop.window), company: stop.name, address: oneLine(voice, stop) }),
    stop.references.length > 0 && voice.sentence("reference", { reference: stop.references.join(", ") }),
    goods,
    sayings(rest),
  ].filter(Boolean).join(" ");
}

function loadValues(voice: Voice, goods: string, { load }: Stop): Record<string, string> {
  return { goods, weight: voice.figures.weight(load!.weight), pallets: `${load!.pallets} ${voice.phrase("eurPallets")}` };
}

function driverSayings(voice: Voice, { driver, tractorPlate, trailerPlate }: Order, plates: string): string {
  const items = [
    plates && `${voice.label(trailerPlate ? "plates" : "tractor")}: ${trailerPlate ? plates : tractorPlate}.`,
    driver && `${voice.label("driver")}: ${[driver.name, driver.phone].filter(Boolean).join(", ")}.`,
  ];
  return items.filter(Boolean).join(" ");
}

const sayings = (items: Item[]): string => items.map(({ label, value }) => `${label}: ${value}.`).join(" ");
