import { expect, test } from "vitest";
import { bookingLosses, bookUnderKills, type Booked, type BookingOutcome } from "./bookings-under-kills.ts";

test("bookings that are acknowledged before and after a kill -9 persist, and each has exactly one order", async () => {
  const { booked, found } = await bookUnderKills({ freights: 16, kills: 4 });
  expect(new Set(booked.map(({ carrierOrderId }) => carrierOrderId)).size).toBe(16);
  expect(booked.map((one, index) => bookingLosses(one, found[index]!))).toEqual(booked.map(() => []));
  // Control: losses that are caused deliberately are detected.
  const [one, whole] = [booked[0]!, found[0]!];
  const without = (more: Partial<BookingOutcome>, other: Partial<Booked> = {}) =>
    bookingLosses({ ...one, ...other }, { ...whole, ...more });
  expect(without({ freight: { ...whole.freight, status: "Published" } })).toEqual(["not booked"]);
  expect(without({ freight: { ...whole.freight, offers: [] } })).toEqual(["not accepted", "not declined"]);
  expect(without({ order: {} })).toEqual(["no order"]);
  expect(without({ ordersNamed: [...whole.ordersNamed, "another"] })).toEqual(["not one order"]);
  expect(without({ heardOfFreight: whole.heardOfFreight.slice(0, -1) })).toEqual(["not heard of once"]);
  const twice = { id: "evt_another", type: "CarrierOrderCreated" };
  expect(without({ heardOfOrder: [...whole.heardOfOrder, twice] })).toEqual(["order not heard of once"]);
  expect(without({}, { carrierOrderId: "another" })).toEqual(["another order", "not one order"]);
});
