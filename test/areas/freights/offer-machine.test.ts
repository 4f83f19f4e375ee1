import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  answerOffer,
  closeOffers,
  expireOffers,
  nextOfferExpiry,
  outdateOffers,
  submitOffer,
  type NewOffer,
} from "../../../src/areas/freights/offers/negotiation.ts";
import {
  allowedTo,
  isOpen,
  maxRounds,
  summaryOf,
  turnOf,
  type Answer,
  type Offer,
  type OffersAfter,
} from "../../../src/areas/freights/offers/offer.ts";
import { offerActions, sides, type OfferStatus, type Side } from "../../../src/areas/freights/offers/model.ts";

const beginning = Date.parse("2026-11-24T08:00:00.000Z");
const minute = 60_000;
const timeAt = (minutes: number) => new Date(beginning + minutes * minute).toISOString();
const when = (minutes = 0, version = 2) => ({ at: timeAt(minutes), version });

const offerOf = (number: number, more: Partial<NewOffer> = {}): NewOffer => ({
  offerId: `offer-${number}`,
  price: 100_000 + number,
  currency: "EUR",
  carrier: { name: `Carrier ${number}`, email: `dispo@carrier-${number}.example` },
  source: "Guest",
  ...more,
});

const good = (outcome: ReturnType<typeof submitOffer>): OffersAfter => {
  if ("refused" in outcome) throw new Error(JSON.stringify(outcome));
  return outcome;
};

const submitted = (...numbers: number[]): Offer[] =>
  numbers.reduce<Offer[]>((offers, number) => good(submitOffer(offers, offerOf(number), when())).offers, []);

const answered = (offers: Offer[], answer: Answer, minutes = 1, offerId = "offer-1") =>
  answerOffer(offers, offerId, answer, when(minutes, 3));

const countered = (offers = submitted(1)) =>
  good(answered(offers, { action: "Counter", by: "Owner", price: 90_000 })).offers;

/** For each status, the statuses to which it may change. */
const transitions: Record<OfferStatus, OfferStatus[]> = {
  Submitted: ["Submitted", "Countered", "Outdated", "Accepted", "Declined", "Withdrawn", "Expired"],
  Countered: ["Submitted", "Countered", "Outdated", "Accepted", "Declined", "Withdrawn", "Expired"],
  Outdated: ["Submitted", "Declined", "Withdrawn"],
  Accepted: [],
  Declined: [],
  Withdrawn: [],
  Expired: [],
};

describe("an offer", () => {
  test("waits for the owner, then for the carrier, and keeps its prices in order", () => {
    const offers = good(
      answered(countered(), { action: "Counter", by: "Carrier", price: 95_000, comment: "With tolls" }),
    ).offers;
    expect(offers[0]).toMatchObject({ status: "Submitted", price: 95_000 });
    expect(turnOf(offers[0]!)).toBe("Owner");
    expect(offers[0]!.rounds.map(({ by, price, comment }) => [by, price, comment])).toEqual([
      ["Carrier", 100_001, undefined],
      ["Owner", 90_000, undefined],
      ["Carrier", 95_000, "With tolls"],
    ]);
  });

  test.each([
    ["its owner cannot accept its own price", { action: "Accept", by: "Owner" }, ["Update", "Decline"]],
    ["its owner cannot counter again", { action: "Counter", by: "Owner", price: 1 }, ["Update", "Decline"]],
    [
      "its carrier cannot update it",
      { action: "Update", by: "Carrier", price: 1 },
      ["Accept", "Decline", "Counter", "Withdraw"],
    ],
  ] satisfies [string, Answer, string[]][])("that was countered: %s", (_, answer, allowed) => {
    expect(answered(countered(), answer)).toMatchObject({
      refused: "invalid_state",
      extra: { currentStatus: "Countered", allowed },
    });
  });

  test("is accepted by the side whose turn it is, if the caller names no side", () => {
    const [offer] = good(answered(countered(), { action: "Accept" })).offers;
    expect(offer).toMatchObject({ status: "Accepted", price: 90_000 });
  });

  test("has at most twenty prices, and can still be accepted then", () => {
    let offers = submitted(1);
    for (let price = 1; offers[0]!.rounds.length < maxRounds; price++)
      offers = good(answered(offers, { action: "Counter", price })).offers;
    expect(answered(offers, { action: "Counter", price: 77 })).toMatchObject({
      refused: "invalid_state",
      detail: "The offer already has 20 prices, which is the maximum. Accept or decline it.",
    });
    expect(good(answered(offers, { action: "Accept" })).offers[0]!.status).toBe("Accepted");
  });

  test.each([18, 19])(
    "that is outdated after %i counter-offers is confirmed within the limit of twenty prices",
    (counters) => {
      let offers = submitted(1);
      for (let price = 1; price <= counters; price++)
        offers = good(answered(offers, { action: "Counter", price })).offers;
      ({ offers } = outdateOffers(offers, when(2)));
      const [offer] = good(answered(offers, { action: "Confirm", price: 77 }, 3)).offers;
      expect(offer).toMatchObject({ status: "Submitted", price: 77 });
      expect(offer!.rounds).toHaveLength(Math.min(maxRounds, counters + 2 - (counters % 2 === 0 ? 1 : 0)));
      expect(offer!.rounds.at(-1)).toMatchObject({ by: "Carrier", price: 77 });
      expect(offer!.rounds.map(({ at }) => at)).toEqual(offer!.rounds.map(({ at }) => at).toSorted());
    },
  );

  test("accepts a hundred updates of a price, and ignores an update with identical values", () => {
    let offers = submitted(1);
    for (let price = 1; price <= 100; price++) offers = good(answered(offers, { action: "Update", price })).offers;
    expect(answered(offers, { action: "Update", price: 100 })).toMatchObject({ refused: "invalid_state" });
    const [offer] = submitted(1);
    expect(answered([offer!], { action: "Update", price: offer!.price })).toEqual({ offers: [offer], moved: [] });
    expect(good(answered([offer!], { action: "Update", comment: "New" })).moved).toHaveLength(1);
  });

  test("cannot be countered with the current price, nor without a price", () => {
    expect(answered(submitted(1), { action: "Counter", price: 100_001 })).toMatchObject({
      errors: [{ code: "same_price", pointer: "/price" }],
    });
    expect(answered(submitted(1), { action: "Counter" })).toMatchObject({ errors: [{ code: "required" }] });
  });

  test("that is outdated is confirmed at the last price of its carrier, or at a new one", () => {
    const { offers, moved } = outdateOffers(countered(), when(2));
    expect(moved).toMatchObject([{ before: "Countered", offer: { status: "Outdated", price: 100_001 } }]);
    const [offer] = good(answered(offers, { action: "Confirm", by: "Carrier" }, 3)).offers;
    expect(offer).toMatchObject({ status: "Submitted", price: 100_001 });
    const [dearer] = good(answered(offers, { action: "Confirm", by: "Carrier", price: 110_000 }, 3)).offers;
    expect(dearer).toMatchObject({ status: "Submitted", price: 110_000 });
  });

  test("that is confirmed after it expired needs a later expiry", () => {
    const short = good(submitOffer([], offerOf(1, { validUntil: timeAt(5) }), when())).offers;
    const { offers } = outdateOffers(short, when(2));
    expect(expireOffers(offers, when(10)).moved).toEqual([]);
    expect(answered(offers, { action: "Confirm" }, 10)).toMatchObject({ errors: [{ code: "in_the_past" }] });
    const [offer] = good(answered(offers, { action: "Confirm", validUntil: timeAt(20) }, 10)).offers;
    expect(offer).toMatchObject({ status: "Submitted", validUntil: timeAt(20) });
  });

  test("expires exactly at its expiry time", () => {
    const { offers } = good(submitOffer(submitted(2), offerOf(1, { validUntil: timeAt(5) }), when()));
    expect(nextOfferExpiry(offers)).toBe(Date.parse(timeAt(5)));
    expect(expireOffers(offers, { at: "2026-11-24T08:04:59.999Z", version: 4 }).moved).toEqual([]);
    const { offers: after, moved } = expireOffers(offers, when(5));
    expect(moved.map(({ offer, before }) => [offer.offerId, before, offer.status])).toEqual([
      ["offer-1", "Submitted", "Expired"],
    ]);
    expect(nextOfferExpiry(after)).toBeUndefined();
  });

  test.each([
    ["by its email address in capitals", { name: "Another", email: "DISPO@carrier-1.example" }],
    ["by its VAT code", { name: "Another", email: "another@carrier.example", vatCode: "CZ12345679" }],
  ])("is refused as a duplicate while its carrier, recognised %s, has an open one", (_, carrier) => {
    const first = { name: "Carrier 1", email: "dispo@carrier-1.example", vatCode: "CZ12345679" };
    const { offers } = good(submitOffer([], offerOf(1, { carrier: first, source: "Api" }), when()));
    expect(submitOffer(offers, offerOf(2, { carrier, source: "Api" }), when())).toMatchObject({
      refused: "duplicate_offer",
      extra: { offerId: "offer-1" },
    });
    const { offers: withdrawn } = good(answered(offers, { action: "Withdraw", by: "Carrier" }));
    expect(good(submitOffer(withdrawn, offerOf(2, { carrier }), when())).offers).toHaveLength(2);
  });

  test.each([
    ["OtherOfferAccepted", "Declined", "Declined"],
    ["FreightWithdrawn", "Declined", "Declined"],
    ["FreightExpired", "Expired", "Declined"],
  ] as const)("that is open is closed with its freight: %s", (reason, status, outdated) => {
    const all = [...outdateOffers(submitted(1), when()).offers, ...submitted(2)];
    const { offers } = closeOffers(all, reason, when(1));
    expect(offers.map((offer) => [offer.status, offer.reason])).toEqual([
      [outdated, reason],
      [status, reason],
    ]);
  });
});

type Command =
  | { is: "Submit"; carrier: number; price: number; validFor?: number }
  | ({ is: "Answer"; number: number } & Answer)
  | { is: "Outdate" }
  | { is: "Expire" }
  | { is: "Close" };

const price = fc.integer({ min: 1, max: 5 });
const commands: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ is: fc.constant("Submit" as const), carrier: fc.nat(4), price }) },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant("Submit" as const),
      carrier: fc.nat(4),
      price,
      validFor: fc.integer({ min: 1, max: 20 }),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record(
      {
        is: fc.constant("Answer" as const),
        number: fc.nat(5),
        action: fc.constantFrom<Answer["action"]>(...offerActions, "Withdraw"),
        by: fc.constantFrom<Side>(...sides),
        price,
      },
      { requiredKeys: ["is", "number", "action"] },
    ),
  },
  { weight: 1, arbitrary: fc.constant({ is: "Outdate" as const }) },
  { weight: 1, arbitrary: fc.constant({ is: "Expire" as const }) },
  { weight: 1, arbitrary: fc.constant({ is: "Close" as const }) },
);

function take(offers: Offer[], command: Command, minutes: number) {
  const now = when(minutes, minutes);
  switch (command.is) {
    case "Submit": {
      const { carrier, price: wanted, validFor } = command;
      const validUntil = validFor === undefined ? undefined : timeAt(minutes + validFor);
      const said = { ...offerOf(carrier), offerId: `offer-${offers.length}`, price: wanted };
      return submitOffer(offers, { ...said, ...(validUntil && { validUntil }) }, now);
    }
    case "Answer": {
      const { is: _, number, ...answer } = command;
      return answerOffer(offers, `offer-${number}`, answer, now);
    }
    case "Outdate":
      return outdateOffers(offers, now);
    case "Expire":
      return expireOffers(offers, now);
    case "Close":
      return closeOffers(offers, "FreightExpired", now);
  }
}

const possible = new Set([
  "undefined Submitted",
  ...Object.entries(transitions).flatMap(([from, to]) => to.map((one) => `${from} ${one}`)),
]);

const mayAnything = (offer: Offer) => sides.some((side) => allowedTo(offer, side).length > 0);

/** Returns the names of the rules that an outcome violates. */
function faultsOf(before: Offer[], { offers, moved }: OffersAfter, command: Command): string[] {
  const all = offers.map((offer) => ({
    offer,
    was: before.find(({ offerId }) => offerId === offer.offerId),
    told: moved.find((one) => one.offer === offer),
  }));
  const open = offers.filter(isOpen);
  const accepts = command.is === "Answer" && command.action === "Accept";
  const faults: Record<string, boolean> = {
    "changed and not told": all.some(({ offer, was, told }) => !told && offer !== was),
    "told twice, or of nothing": moved.length !== all.filter(({ told }) => told).length,
    "told of another before": all.some(({ was, told }) => told && told.before !== was?.status),
    "no such step": stepsOf(before, moved).some((step) => !possible.has(step)),
    "too many prices": offers.some(({ rounds }) => rounds.length > maxRounds),
    "closed, and something may be done": offers.some((offer) => isOpen(offer) !== mayAnything(offer)),
    "two open ones of a carrier": new Set(open.map(({ carrier }) => carrier.email)).size < open.length,
    miscounted: summaryOf(offers).open !== open.length,
    "open beside an accepted one": accepts && open.length > 0,
    "not one accepted": accepts && offers.filter(({ status }) => status === "Accepted").length !== 1,
  };
  return Object.keys(faults).filter((name) => faults[name]);
}

const stepsOf = (before: Offer[], moved: OffersAfter["moved"]): string[] =>
  moved.map(({ offer }) => `${before.find(({ offerId }) => offerId === offer.offerId)?.status} ${offer.status}`);

describe("any sequence of actions", () => {
  test("keeps closed offers unchanged, reports each change with its previous status, and allows one open offer per carrier", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.array(commands, { maxLength: 60, size: "max" }), (list) => {
        let offers: Offer[] = [];
        for (const [minutes, command] of list.entries()) {
          const outcome = take(offers, command, minutes);
          if ("refused" in outcome) continue;
          const faults = faultsOf(offers, outcome, command);
          if (faults.length > 0) throw new Error(faults.join());
          for (const step of stepsOf(offers, outcome.moved)) seen.add(step);
          if (command.is === "Answer" && command.action === "Accept") break;
          ({ offers } = outcome);
        }
      }),
      { numRuns: 3000 },
    );
    expect([...seen].toSorted()).toEqual([...possible].toSorted());
  });
});
