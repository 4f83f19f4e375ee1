import { describe, expect, test } from "vitest";
import { reading, withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

const order = async (lines: string, name = "order.txt") => (await reading("order", lines, name)).data;
const year = new Date().getUTCFullYear() + 1;

const letter = (title: string, atLoading: string) =>
  order(`Marsh & Tate Forwarding Ltd, Quay Street 14, Hull HU1 2AA, VAT GB123456789
${title}
Dear Mr Oakley,
please carry for us:
Loading: 24.11.${year} 08:00, Calder Textiles GmbH, Ringstr. 4, DE-50667 Köln, ${atLoading}
Unloading: 26.11.${year}, Fen Stores GmbH, Gartenstr. 9, AT-1010 Wien
Price: 410.00 EUR, 30 days
Kind regards
Nora Tate`);

describe("numbers in running text", () => {
  test.each([
    ["pickup number 80-55710", "80-55710"],
    ["release KH-8827", "KH-8827"],
    ["booking under RV-0126-31", "RV-0126-31"],
  ])("the loading has the reference: %s", async (text, number) => {
    expect((await letter("Transport order 4471/26", text)).locations?.[0]?.refrenceNumbers).toEqual([number]);
  });

  test("the number of the title is the order's, not that of a street or of a quote", async () => {
    const { orderNumber } = await letter("Transport order 4471/26, your quote Q-1190", "gate 3");
    expect(orderNumber).toBe("4471/26");
  });
});

test("the person whom the letter greets is the carrier's contact", async () => {
  const { carrier } = await letter("Transport order 4471/26", "gate 3");
  expect(carrier?.contactPerson?.name).toBe("Oakley");
});
