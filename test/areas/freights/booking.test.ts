import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CarrierOrderInput } from "../../../src/areas/carrier-orders/input.ts";
import { numbersOf, orderOf } from "../../../src/areas/freights/offers/booking.ts";
import type { Freight } from "../../../src/areas/freights/model.ts";
import { OfferInput } from "../../../src/areas/freights/offers/model.ts";
import type { Offer } from "../../../src/areas/freights/offers/offer.ts";
import { centsOf } from "../../../src/areas/freights/price.ts";
import { toFreightDetails } from "../../../src/areas/freights/details.ts";
import { FreightInput } from "../../../src/areas/freights/input.ts";
import { errorsInStops, locate } from "../../../src/areas/freights/stops.ts";
import type { Env } from "../../../src/platform/env.ts";
import { freight, stops } from "../../support/freights.ts";

const id = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b91";

/** Generates texts of up to `maxLength` characters, some of which are surrogate pairs. */
const text = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: "binary", maxLength: Math.floor(maxLength / 2) }),
    fc
      .tuple(fc.constantFrom("", "a"), fc.constantFrom("😀", "x", "ͺ"), fc.nat(maxLength))
      .map(([first, one, count]) => (first + one.repeat(count)).slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, "")),
  );

/** Generates metadata with up to 50 entries. Many have almost as many entries as allowed. */
const metadata = fc
  .tuple(
    fc.dictionary(fc.oneof(fc.constantFrom("freightId", "offerId", "internalId"), text(64)), text(512), { maxKeys: 4 }),
    fc.constantFrom(0, 40, 46, 47, 48, 49, 50),
  )
  .map(([some, count]) => {
    const many = Array.from({ length: count }, (_, number): [string, string] => [`key-${number}`, "x"]);
    return Object.fromEntries([...many.slice(0, 50 - Object.keys(some).length), ...Object.entries(some)]);
  });

const freights = fc
  .record({
    externalNumber: fc.option(text(100), { nil: undefined }),
    internalComments: fc.option(text(10_000), { nil: undefined }),
    startDate: fc.constantFrom(undefined, "0000-01-01", "0000-01-01T00:00+14:00", stops()[1]!.period.startDate),
    metadata,
  })
  .map(({ startDate, ...more }) => {
    const [first, last] = stops();
    const period = { ...(startDate && { startDate }), endDate: last!.period.endDate };
    return FreightInput.safeParse(freight({ ...more, locations: [first, { ...last, period }] }));
  });

const offers = fc
  .record({
    carrier: fc.record({ name: text(200), email: fc.constant("a@b.example"), vatCode: text(30) }),
    vehicle: fc.record({ licensePlates: fc.array(text(15), { maxLength: 3 }) }),
    comments: text(5000),
  })
  .map((more) => OfferInput.safeParse({ freightId: id, price: 1000, ...more }));

describe("any freight booked by any offer", () => {
  test("results in a valid order with the ids of both", async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(freights, offers, async ({ data: body }, { data: given }) => {
        fc.pre(body !== undefined);
        const locations = await locate({} as Env, body);
        fc.pre(errorsInStops(locations, new Date().toISOString()).length === 0);
        taken++;
        const now = { said: toFreightDetails(body, locations), metadata: body.metadata } as Freight;
        const said = given ?? { carrier: { name: "Carrier", email: "a@b.example" }, price: 1000 };
        const offer = { ...said, price: centsOf(said.price), currency: "EUR", offerId: "the-offer" } as Offer;
        for (const orderNumber of numbersOf(id, now)) {
          const read = CarrierOrderInput.safeParse({ ...orderOf(id, now, offer), orderNumber });
          expect(read.error?.issues).toBeUndefined();
          expect(read.data?.metadata).toMatchObject({ freightId: id, offerId: "the-offer" });
          expect(read.data?.metadata?.["internalId"]).toBe(body.metadata?.["internalId"]);
        }
      }),
      { numRuns: 300 },
    );
    expect(taken).toBeGreaterThan(50);
  });
});
