import { expect, test } from "vitest";
import { reading, withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

const order = async (text: string) => (await reading("order", text, "order.txt")).data;

const stop = (word: string, name: string, street: string, place: string, day: string) => `${word}
${name}
${street}
${place}
${day}
`;

const around = (stops: readonly string[]) => `TRANSPORT ORDER 26/4410            Date: 02.11.2026

Carrier: Alfa Trans Sp. z o.o., ul. Polna 7, PL-63-300 Pleszew

${stops.join("\n")}
Weight: 12 t
Freight: 780 EUR`;

test.each(["Zustellpunkt", "Endhalt", "Zieladr.", "Ankunftswerk", "Kundenrampe"])(
  "an address under the unknown word %s is an unloading stop after a loading stop",
  async (word) => {
    const { locations } = await order(
      around([
        stop("Ladestelle", "Stahl Nord GmbH", "Hafenweg 3", "DE-28195 Bremen", "24.11.2026 08:00"),
        stop(word, "Holz Elbe GmbH", "Lohweg 9", "DE-20457 Hamburg", "25.11.2026 10:00"),
      ]),
    );
    expect(locations?.map(({ type, city }) => [type, city])).toEqual([
      ["Loading", "Bremen"],
      ["Unloading", "Hamburg"],
    ]);
  },
);

test.each([
  ["stops called so are loaded at where the others are unloaded at", "Stop", "Delivery", ["Loading", "Unloading"]],
  ["stops called so are unloaded at where the others are loaded at", "Loading", "Stop", ["Loading", "Unloading"]],
])("%s", async (_, first, second, kinds) => {
  const { locations } = await order(
    around([
      stop(`${first} 1`, "Stahl Nord GmbH", "Hafenweg 3", "DE-28195 Bremen", "24.11.2026 08:00"),
      stop(`${first} 2`, "Holz Elbe GmbH", "Lohweg 9", "DE-20457 Hamburg", "24.11.2026 14:00"),
      stop(`${second} 1`, "Glas Main GmbH", "Torweg 2", "DE-60311 Frankfurt am Main", "25.11.2026 08:00"),
      stop(`${second} 2`, "Licht Isar GmbH", "Auweg 5", "DE-80331 München", "26.11.2026 10:00"),
    ]),
  );
  expect(locations?.map(({ type, city }) => [type, city])).toEqual([
    [kinds[0], "Bremen"],
    [kinds[0], "Hamburg"],
    [kinds[1], "Frankfurt am Main"],
    [kinds[1], "München"],
  ]);
});

test("a number before a street is not the postcode of a town with the same name", async () => {
  const { locations } = await order(`LOAD CONFIRMATION 77120
Carrier: Summit Trucking, Inc, 16900 Commerce Dr, Louisville, KY 40219, USA

Pick Up 1
Cedar Warehouse Inc.
6620 Commerce Pkwy
Oklahoma City, OK 73128
10/07/2026 16:00

Delivery 1
Granite Foods LLC
12040 Commerce Dr
Chicago, IL 60638
10/08/2026 08:00

Rate: USD 2,150.00`);
  expect(locations?.map(({ type, city }) => [type, city])).toEqual([
    ["Loading", "Oklahoma City"],
    ["Unloading", "Chicago"],
  ]);
});
