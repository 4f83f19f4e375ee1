import { expect, test } from "vitest";
import type { OrderView } from "../../../../src/extraction/kinds/order/view.ts";
import { readOrders, withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

const goodsOf = ({ locations = [] }: OrderView) =>
  locations.map(({ cargo = [] }) =>
    cargo.map(({ cargoType, weight, pallets, quantity, vin }) => [cargoType, weight, pallets, quantity, vin]),
  );

async function goodsIn(...lines: string[]) {
  const text = [
    "TRANSPORT ORDER No. A-2207",
    "Loading: Alfa Works GmbH, Hafenstr. 4, DE-20457 Hamburg, 24/11/2026 08:00-12:00",
    "Unloading: Beta GmbH, Ringstr. 9, DE-80331 München, 25/11/2026",
    "Unloading: Gamma GmbH, Marktstr. 2, DE-90402 Nürnberg, 26/11/2026",
    "",
    ...lines,
    "",
    "Freight: 950.00 EUR",
  ].join("\n");
  const { items } = await readOrders(text);
  return goodsOf(items[0]?.data ?? {});
}

test("each row of a goods table is a line of goods at the loading, the total is none", async () => {
  const [loading] = await goodsIn(
    "Goods                    Pallets      Gross weight kg",
    "Tinned tomatoes          9            9.320",
    "Roasted peppers          7            5.110",
    "Total                    16           14.430",
  );
  expect(loading).toEqual([
    ["Tinned tomatoes", 9320, 9, undefined, undefined],
    ["Roasted peppers", 5110, 7, undefined, undefined],
  ]);
});

test.each([
  ["the number of the unloading", "Drop", "1", "2"],
  ["the number of the stop", "Stop no.", "2", "3"],
  ["the town", "To", "München", "Nürnberg"],
])("a column with %s assigns the lines to the unloadings too", async (_, caption, first, second) => {
  const goods = await goodsIn(
    `Goods                    Pallets      Gross weight kg      ${caption}`,
    `Tinned tomatoes          9            9.320                ${first}`,
    `Roasted peppers          7            5.110                ${second}`,
  );
  expect(goods[0]).toHaveLength(2);
  expect(goods.slice(1)).toEqual([
    [["Tinned tomatoes", 9320, 9, undefined, undefined]],
    [["Roasted peppers", 5110, 7, undefined, undefined]],
  ]);
});

test("rows without captions are lines of goods by their units", async () => {
  const [loading] = await goodsIn(
    "1     wheel rims 17     960 pcs     20 pallets     11.520 kg",
    "2     wheel rims 18     336 pcs     8 pallets      4.704 kg",
  );
  expect(loading?.map(([, ...measures]) => measures)).toEqual([
    [11520, 20, 960, undefined],
    [4704, 8, 336, undefined],
  ]);
});

test("vehicles are lines with a vehicle identification number each", async () => {
  const [loading] = await goodsIn(
    "estate         TMBJJ7NX5RY104417      1.480 kg",
    "estate         TMBJJ7NX8RY104993      1.480 kg",
    "van            WV1ZZZSK2PX018820      1.610 kg",
  );
  expect(loading).toEqual([
    ["estate", 1480, undefined, undefined, "TMBJJ7NX5RY104417"],
    ["estate", 1480, undefined, undefined, "TMBJJ7NX8RY104993"],
    ["van", 1610, undefined, undefined, "WV1ZZZSK2PX018820"],
  ]);
});

test("captions beside their values are one line of goods", async () => {
  const [loading] = await goodsIn(
    "Goods       frozen vegetables",
    "Pallets     16",
    "Weight      6.196 kg",
    "Volume      37 m3",
  );
  expect(loading).toEqual([["frozen vegetables", 6196, 16, undefined, undefined]]);
});

test("goods listed in words are a line of goods each", async () => {
  const [loading] = await goodsIn(
    "Paint: 12 pallets, 7.800 kg",
    "Primer in drums: 4 pallets, 2.600 kg",
    "Brushes, 6 pallets, 1.150 kg",
  );
  expect(loading).toEqual([
    ["Paint", 7800, 12, undefined, undefined],
    ["Primer in drums", 2600, 4, undefined, undefined],
    ["Brushes", 1150, 6, undefined, undefined],
  ]);
});

async function goodsOfTwoLoadings(...lines: string[]) {
  const text = [
    "TRANSPORT ORDER No. A-2208",
    "P1 Loading: Alfa Works GmbH, Hafenstr. 4, DE-20457 Hamburg, 24/11/2026 08:00-12:00",
    "P2 Loading: Delta Dairy GmbH, Am Deich 7, DE-27472 Cuxhaven, 24/11/2026 14:00",
    "D1 Unloading: Beta GmbH, Ringstr. 9, DE-80331 München, 25/11/2026",
    "",
    ...lines,
    "",
    "Freight: 950.00 EUR",
  ].join("\n");
  const { items } = await readOrders(text);
  return items[0]?.data?.locations?.map(({ cargo = [] }) => cargo) ?? [];
}

test.each([
  ["town", "Hamburg", "Cuxhaven"],
  ["number", "1", "2"],
])("a column may name the loading of each line by its %s", async (_, first, second) => {
  const [one, other, unloading] = await goodsOfTwoLoadings(
    "Loading      Goods             Pallets      Gross weight kg",
    `${first.padEnd(13)}Butter            12           9.840`,
    `${second.padEnd(13)}Smoked cheese     18           11.160`,
  );
  expect(one).toMatchObject([{ cargoType: "Butter", pallets: 12, weight: 9840 }]);
  expect(other).toMatchObject([{ cargoType: "Smoked cheese", pallets: 18, weight: 11160 }]);
  expect(unloading).toEqual([]);
});

test("the temperature and the pallet exchange hold for every loading", async () => {
  const [one, other] = await goodsOfTwoLoadings("Temperature: +2 / +4 °C", "Pallet exchange: no");
  for (const loading of [one, other])
    expect(loading).toMatchObject([{ temeratureFrom: 2, temeratureTo: 4, palletsExchange: false }]);
});

test("a temperature behind its label in a long sentence is that of the goods, one in the conditions is not", async () => {
  const [one] = await goodsOfTwoLoadings(
    "Fresh mushrooms in crates, temperature during carriage +2 °C to +4 °C, the unit has to run continuously and the printout is required.",
  );
  expect(one).toMatchObject([{ temeratureFrom: 2, temeratureTo: 4 }]);
});
