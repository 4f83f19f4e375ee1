import type { Voice } from "../voice.ts";
import type { Order, Stop } from "../world/order.ts";
import { handlingItems, loadItems } from "./cargo.ts";
import { agreed, paymentBlock, term } from "./money.ts";
import { oneLine } from "./parties.ts";
import { joinPresent, labelledItems } from "./labelled-items.ts";
import type { Item } from "./sheet.ts";
import { remarksBlock } from "./small-blocks.ts";

const VERBS = { Loading: "load", Unloading: "unload", Customs: "customs", EmptyReturn: "unload" } as const;
const IN_SENTENCES = ["goods", "pallets", "weight", "price", "paymentTerm"];

/** Writes the order as running text, with paragraphs for the stops and their goods, the vehicle and the price. */
export function letter(voice: Voice, order: Order): string[] {
  const { price, number } = order;
  const simple = price.charges.length === 0 && price.days !== undefined;
  const money = paymentBlock(voice, order).items;
  return [
    voice.sentence("greeting"),
    voice.sentence("intro", { number }),
    ...order.stops.map((stop) => stopParagraph(voice, stop)),
    sayings(handlingItems(voice, order)),
    vehicleParagraph(voice, order),
    joinPresent(" ", [
      simple &&
        voice.sentence("price", { price: agreed(voice, price.base, price.currency), days: term(voice, price.days!) }),
      sayings(simple ? money.filter(({ about }) => !IN_SENTENCES.includes(about)) : money),
    ]),
    sayings(remarksBlock(voice, order).items),
  ].filter((paragraph) => paragraph !== "");
}

function stopParagraph(voice: Voice, stop: Stop): string {
  const { load } = stop;
  const inSentence = load?.goods !== undefined && load.pallets !== undefined;
  const rest = load ? loadItems(voice, load).filter(({ about }) => !inSentence || !IN_SENTENCES.includes(about)) : [];
  return joinPresent(" ", [
    voice.sentence(VERBS[stop.type], {
      when: voice.when(stop.window),
      company: stop.name,
      address: oneLine(voice, stop),
    }),
    stop.references.length > 0 && voice.sentence("reference", { reference: stop.references.join(", ") }),
    inSentence &&
      voice.sentence("goods", {
        goods: load.goods,
        weight: voice.figures.weight(load.weight),
        pallets: `${load.pallets} ${voice.phrase("eurPallets")}`,
      }),
    sayings(rest),
  ]);
}

function vehicleParagraph(voice: Voice, { trailerType, driver, tractorPlate, trailerPlate }: Order): string {
  const plates = joinPresent(" / ", [tractorPlate, trailerPlate]);
  const whole =
    driver?.phone && plates
      ? voice.sentence("driver", { plates, driver: driver.name, phone: driver.phone })
      : undefined;
  return joinPresent(" ", [
    trailerType && voice.sentence("vehicle", { trailer: voice.trailer(trailerType) }),
    whole ??
      sayings(
        labelledItems(voice, [
          [trailerPlate ? "plates" : "tractor", plates],
          ["driver", joinPresent(", ", [driver?.name, driver?.phone])],
        ]),
      ),
  ]);
}

const sayings = (items: Item[]): string => items.map(({ label, value }) => `${label}: ${value}.`).join(" ");
