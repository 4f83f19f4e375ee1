import { describe, expect, test } from "vitest";
import {
  daysLeft,
  expired,
  nextReminder,
  reminders,
  validityStatus,
} from "../../../src/areas/drivers-documents/expiry.ts";

describe("the validity of a driver's document", () => {
  const validity = { expiresAt: "2027-01-31", issuingCountry: "PL" };

  test.each([
    ["2026-11-20T12:00:00.000Z", 72, "Valid"],
    ["2026-12-01T12:00:00.000Z", 61, "Valid"],
    ["2026-12-01T22:59:59.000Z", 61, "Valid"],
    ["2026-12-01T23:00:00.000Z", 60, "ExpiringSoon"],
    ["2027-01-31T22:59:59.000Z", 0, "ExpiringSoon"],
    ["2027-01-31T23:00:00.000Z", -1, "Expired"],
  ])("follows the calendar of its country: at %s it has %i days left and is %s", (at, days, status) => {
    expect([daysLeft(validity, at), validityStatus(validity, at)]).toEqual([days, status]);
  });

  test("each reminder is sent once, in order, the last one on expiry", () => {
    const told: number[] = [];
    const moments: string[] = [];
    for (let next = nextReminder(validity, undefined, "2026-01-01T00:00:00.000Z"); next;) {
      told.push(next.days);
      moments.push(new Date(next.due).toISOString());
      next = nextReminder(validity, next.days, moments.at(-1)!);
    }
    expect(told).toEqual([...reminders, expired]);
    expect(moments[0]).toBe("2026-12-01T23:00:00.000Z");
    expect(moments.at(-1)).toBe("2027-01-31T23:00:00.000Z");
  });

  test("if several reminders are due, only the last is sent", () => {
    expect(nextReminder(validity, undefined, "2027-01-20T00:00:00.000Z")?.days).toBe(14);
    expect(nextReminder(validity, undefined, "2028-01-20T00:00:00.000Z")?.days).toBe(expired);
    expect(nextReminder(validity, expired, "2028-01-20T00:00:00.000Z")).toBeUndefined();
    expect(nextReminder({}, undefined, "2028-01-20T00:00:00.000Z")).toBeUndefined();
  });

  test("a date that does not exist has no reminder", () => {
    const never = { expiresAt: "2031-31-12" };
    const at = "2026-11-20T12:00:00.000Z";
    expect([daysLeft(never, at), validityStatus(never, at), nextReminder(never, undefined, at)]).toEqual([
      undefined,
      "Valid",
      undefined,
    ]);
  });
});
