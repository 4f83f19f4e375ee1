import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openGazetteer } from "../../../src/extraction/lexicon/gazetteer.ts";
import { classifyMail } from "../../../src/extraction/classify-mail.ts";
import { Budget } from "../../../src/extraction/problem.ts";
import { extractDocument } from "../../../src/extraction/extract.ts";
import type { ExtractionContext } from "../../../src/extraction/document/extraction-result.ts";
import {
  dayFromIso,
  daysBetween,
  isoDay,
  resolveRelativeDate,
  type RelativeDate,
} from "../../../src/extraction/entities/calendar.ts";

const resolved = (date: RelativeDate, anchor: string): string => {
  const { from, until } = resolveRelativeDate(date, dayFromIso(anchor)) ?? {};
  return [from, until].flatMap((day) => (day ? [isoDay(day)] : [])).join("/");
};

describe("a date relative to the day of writing", () => {
  test.each<[string, RelativeDate, string, string]>([
    ["12.4. in March", { kind: "DayOfYear", month: 4, day: 12 }, "2026-03-30", "2026-04-12"],
    ["12.4. in May is behind", { kind: "DayOfYear", month: 4, day: 12 }, "2026-05-02", "2026-04-12"],
    ["03.01. at the end of a year", { kind: "DayOfYear", month: 1, day: 3 }, "2026-12-28", "2027-01-03"],
    ["30.12. at the beginning of one", { kind: "DayOfYear", month: 12, day: 30 }, "2027-01-04", "2026-12-30"],
    ["the day itself", { kind: "DayOfYear", month: 11, day: 20 }, "2026-11-20", "2026-11-20"],
    ["29.2. in a year without", { kind: "DayOfYear", month: 2, day: 29 }, "2027-02-20", "2028-02-29"],
    ["30.2., which is no day", { kind: "DayOfYear", month: 2, day: 30 }, "2026-02-20", ""],
    ["KW 15", { kind: "Week", week: 15 }, "2026-03-30", "2026-04-06/2026-04-12"],
    ["KW 2 in December", { kind: "Week", week: 2 }, "2026-12-20", "2027-01-11/2027-01-17"],
    ["KW 52 in January", { kind: "Week", week: 52 }, "2027-01-05", "2026-12-21/2026-12-27"],
    ["KW 53, which few years have", { kind: "Week", week: 53 }, "2026-12-20", "2026-12-28/2027-01-03"],
    ["KW 54, which none has", { kind: "Week", week: 54 }, "2026-12-20", ""],
    ["tomorrow on New Year's Eve", { kind: "Days", days: 1 }, "2026-12-31", "2027-01-01"],
    ["Monday on a Friday", { kind: "Weekday", weekday: 1 }, "2026-11-20", "2026-11-23"],
    ["Friday on a Friday", { kind: "Weekday", weekday: 5 }, "2026-11-20", "2026-11-27"],
    ["next Thursday on a Monday", { kind: "Weekday", weekday: 4, next: true }, "2026-11-16", "2026-11-26"],
    ["next Monday on a Friday", { kind: "Weekday", weekday: 1, next: true }, "2026-11-20", "2026-11-23"],
    ["next week on a Sunday", { kind: "NextWeek" }, "2026-12-27", "2026-12-28/2027-01-03"],
  ])("%s", (_, date, anchor, expected) => expect(resolved(date, anchor)).toBe(expected));

  const anyDay = fc
    .date({ min: new Date("1999-01-01"), max: new Date("2090-12-31"), noInvalidDate: true })
    .map((date) => dayFromIso(date.toISOString()));

  test("without a year is at most 122 days back or 244 days ahead of the anchor", () => {
    fc.assert(
      fc.property(anyDay, anyDay, (told, anchor) => {
        fc.pre(told.month !== 2 || told.day !== 29);
        const { from } = resolveRelativeDate({ kind: "DayOfYear", month: told.month, day: told.day }, anchor)!;
        expect([from.month, from.day]).toEqual([told.month, told.day]);
        const away = daysBetween(anchor, from);
        expect(away).toBeGreaterThanOrEqual(-122);
        expect(away).toBeLessThanOrEqual(244);
      }),
    );
  });

  test("depends only on the anchor: a later anchor never gives an earlier date", () => {
    fc.assert(
      fc.property(anyDay, anyDay, fc.integer({ min: 1, max: 7 }), (one, other, weekday) => {
        const [early, late] = daysBetween(one, other) >= 0 ? [one, other] : [other, one];
        const at = (anchor: typeof one) => resolveRelativeDate({ kind: "Weekday", weekday }, anchor)!.from;
        expect(daysBetween(at(early), at(late))).toBeGreaterThanOrEqual(0);
        const ahead = daysBetween(early, at(early));
        expect(ahead > 0 && ahead <= 7).toBe(true);
      }),
    );
  });
});

// Documents that were written in spring and are read in November.

const gazetteer = openGazetteer(async () => undefined);
const readOn = "2026-11-20";

const order = (loading: string, unloading: string, more = "") => `Transport order TO-4711
${more}
Loading
Muster GmbH
Hafenstr. 4
DE-20457 Hamburg
Date: ${loading}

Unloading
Vzor s.r.o.
Dlouha 5
CZ-602 00 Brno
Date: ${unloading}

Price: 780 EUR`;

const mail = (date: string, text: string, more = "") =>
  `From: dispo@spedition.example\r\nTo: us@trans.example\r\nSubject: Transport order\r\n${date && `Date: ${date}\r\n`}Content-Type: text/plain; charset=utf-8\r\n\r\n${text}${more}\r\n`;

const withFile = (date: string, text: string, file: string) =>
  [
    "From: dispo@spedition.example",
    "Subject: Transport order",
    `Date: ${date}`,
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="mark"',
    "",
    "--mark",
    "Content-Type: text/plain; charset=utf-8",
    "",
    text,
    "--mark",
    "Content-Type: text/plain; charset=utf-8",
    'Content-Disposition: attachment; filename="order.txt"',
    "",
    file,
    "--mark--",
    "",
  ].join("\r\n");

async function stopsOf(
  kind: "order" | "opportunity",
  name: string,
  text: string,
  context: Partial<ExtractionContext> = {},
): Promise<(string | undefined)[]> {
  const { items } = await extractDocument(
    kind,
    { bytes: new TextEncoder().encode(text), name },
    { company: { names: [], vatCodes: [], emailDomains: [] }, today: readOn, ...context },
    { gazetteer, budget: new Budget(20_000) },
  );
  interface Stop {
    startDate?: string;
    period?: { startDate?: string };
  }
  return items.flatMap(({ data }) =>
    ((data as { locations?: Stop[] }).locations ?? []).map((stop) =>
      (stop.startDate ?? stop.period?.startDate)?.slice(0, 10),
    ),
  );
}

describe("dates without a year in an order", () => {
  const plain = order("02.04.", "03.04.");
  test.each<[string, string, string, string[], Partial<ExtractionContext>?]>([
    [
      "a mail: from its own date",
      "mail.eml",
      mail("Mon, 30 Mar 2026 09:00:00 +0200", plain),
      ["2026-04-02", "2026-04-03"],
    ],
    [
      "a mail of the turn of a year",
      "mail.eml",
      mail("Mon, 28 Dec 2026 09:00:00 +0100", order("03.01.", "05.01.")),
      ["2027-01-03", "2027-01-05"],
    ],
    [
      "a mail of January about December",
      "mail.eml",
      mail("Tue, 05 Jan 2027 09:00:00 +0100", order("30.12.", "06.01.")),
      ["2026-12-30", "2027-01-06"],
    ],
    [
      "a mail without a date: from the day of posting",
      "mail.eml",
      mail("", order("24.11.", "03.01.")),
      ["2026-11-24", "2027-01-03"],
    ],
    [
      "a file of a mail: from the mail's",
      "mail.eml",
      withFile("Mon, 30 Mar 2026 09:00:00 +0200", "Please find our order.", plain),
      ["2026-04-02", "2026-04-03"],
    ],
    [
      "a file of a mail with a date of its own: from that",
      "mail.eml",
      withFile(
        "Mon, 16 Nov 2026 09:00:00 +0100",
        "Once more, the order of last winter.",
        order("03.02.", "04.02.", "Order date: 30.01.2026"),
      ),
      ["2026-02-03", "2026-02-04"],
    ],
    [
      "an older mail that is passed on: from when it was sent",
      "mail.eml",
      mail(
        "Mon, 16 Nov 2026 09:00:00 +0100",
        "",
        `-----Original Message-----\r\nFrom: Dispo <dispo@spedition.example>\r\nSent: Monday, 30 March 2026 09:00\r\nTo: us@trans.example\r\nSubject: Transport order\r\n\r\n${plain}`,
      ),
      ["2026-04-02", "2026-04-03"],
    ],
    [
      "a paper with a date: from that",
      "order.txt",
      order("02.04.", "03.04.", "Order date: 30.03.2026"),
      ["2026-04-02", "2026-04-03"],
    ],
    [
      "a paper signed with place and day",
      "order.txt",
      order("02.04.", "03.04.", "Hamburg, 30.03.2026"),
      ["2026-04-02", "2026-04-03"],
    ],
    ["a paper one of whose stops has a year", "order.txt", order("02.04.2026", "03.04."), ["2026-04-02", "2026-04-03"]],
    [
      "a paper without one that a mail brought",
      "order.txt",
      plain,
      ["2026-04-02", "2026-04-03"],
      { sentOn: "2026-03-30" },
    ],
    [
      "a paper with its own that a mail brought",
      "order.txt",
      order("02.04.", "03.04.", "Order date: 30.03.2026"),
      ["2026-04-02", "2026-04-03"],
      { sentOn: "2026-11-16" },
    ],
    [
      "a paper without any: from the day of posting",
      "order.txt",
      order("24.11.", "03.01."),
      ["2026-11-24", "2027-01-03"],
    ],
    [
      "an old day that is not the paper's",
      "order.txt",
      order("24.11.", "25.11.", "Under the terms of 01.01.1999"),
      ["2026-11-24", "2026-11-25"],
    ],
    [
      "a range over the turn of a year",
      "order.txt",
      order("28.12.-03.01.", "05.01.", "Order date: 21.12.2026"),
      ["2026-12-28", "2027-01-05"],
    ],
    [
      "a week",
      "mail.eml",
      mail("Mon, 30 Mar 2026 09:00:00 +0200", order("KW 15", "KW 16")),
      ["2026-04-06", "2026-04-13"],
    ],
  ])("%s", async (_, name, text, expected, context) => {
    expect(await stopsOf("order", name, text, context)).toEqual(expected);
  });
});

test("a week without a year is not a document date, nor is text that only resembles one", async () => {
  const note = "FR 36 - GB CW8 mega 13t 24.11. / 27.11. 1800e";
  expect(await stopsOf("opportunity", "note.txt", note)).toEqual(["2026-11-24", "2026-11-27"]);
});

describe("dates relative to another date in a request", () => {
  const asked = (days: string) =>
    `Looking for a tautliner 24 t from DE 20457 Hamburg to CZ 60200 Brno, ${days}. Please quote.`;
  test.each<[string, string, string[], Partial<ExtractionContext>?]>([
    [
      "tomorrow",
      mail("Mon, 30 Mar 2026 09:00:00 +0200", asked("loading tomorrow, unloading Thursday")),
      ["2026-03-31", "2026-04-02"],
    ],
    [
      "tomorrow, by the sender's clock after midnight",
      mail("Tue, 31 Mar 2026 00:30:00 +0200", asked("loading tomorrow, unloading Thursday")),
      ["2026-04-01", "2026-04-02"],
    ],
    [
      "tomorrow in a mail that is passed on",
      mail(
        "Mon, 16 Nov 2026 09:00:00 +0100",
        "",
        `-----Original Message-----\r\nFrom: Dispo <dispo@spedition.example>\r\nSent: Monday, 30 March 2026 09:00\r\nTo: us@trans.example\r\nSubject: Request\r\n\r\n${asked("loading tomorrow, unloading Thursday")}`,
      ),
      ["2026-03-31", "2026-04-02"],
    ],
    [
      "2.4 and a week",
      mail("Mon, 30 Mar 2026 09:00:00 +0200", asked("loading 2.4, unloading KW 15")),
      ["2026-04-02", "2026-04-06"],
    ],
  ])("%s", async (_, text, expected, context) => {
    expect(
      await stopsOf("opportunity", "mail.eml", text.replace("Subject: Transport order", "Subject: Request"), context),
    ).toEqual(expected);
  });
});

test("relative dates in a classified mail are resolved from the mail's date", async () => {
  const bytes = new TextEncoder().encode(
    mail("Mon, 28 Dec 2026 09:00:00 +0100", "We load on 03.01. and unload on 05.01. in Brno."),
  );
  const { entities } = await classifyMail(bytes, "2027-11-20", { gazetteer, budget: new Budget(20_000) });
  expect(entities.dates).toEqual(["2027-01-03", "2027-01-05"]);
});
