import { describe, expect, test } from "vitest";
import { request, requests, route } from "../../../support/extract-requests.ts";
import { withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

describe("tables of lanes and signatures", () => {
  const lanes = [
    "Lane;From zip;From city;From ctry;Load date;To zip;To city;To ctry;Unload date;t;Pallets;Target EUR",
    "K-01;50-001;Wroclaw;PL;2026-12-01;04158;Leipzig;DE;2026-12-02;24;33;900",
    "K-02;04158;Leipzig;DE;2026-12-03;50-001;Wroclaw;PL;2026-12-04;11.5;;",
  ];

  test("a table names both ends in its header; the notes around it belong to every lane", async () => {
    const csv = ["Example Trade GmbH;quote request", ...lanes, "Payment 45 days, prices in EUR"].join("\n");
    const [first, second] = await requests(csv, "lanes.csv");
    expect(route(first!)).toBe("L PL 50-001 Wroclaw 2026-12-01 > U DE 04158 Leipzig 2026-12-02");
    expect(route(second!)).toBe("L DE 04158 Leipzig 2026-12-03 > U PL 50-001 Wroclaw 2026-12-04");
    expect(first).toMatchObject({
      externalNumber: "K-01",
      requirements: { capacity: 24, pallets: 33 },
      payment: { from: 900, currency: "EUR", term: 45 },
      requestedBy: { name: "Example Trade GmbH" },
    });
    expect(second).toMatchObject({ requirements: { capacity: 11.5 }, payment: { currency: "EUR", term: 45 } });
  });

  test("the same table turned", async () => {
    const cells = lanes.map((line) => line.split(";"));
    const turned = cells[0]!.map((_, at) => cells.map((row) => row[at]).join(";"));
    const [first, second] = await requests(turned.join("\n"), "lanes.csv");
    expect(route(first!)).toBe("L PL 50-001 Wroclaw 2026-12-01 > U DE 04158 Leipzig 2026-12-02");
    expect(second!.requirements?.capacity).toBe(11.5);
  });

  test("each number of a list begins a lane, and an arrow ends a place", async () => {
    const note = [
      "Quote request for two trips:",
      "1) PL 50-001 Wroclaw -> DE 04158 Leipzig",
      "loading 24.11.2026, 24 t, tautliner",
      "2) DE 04158 Leipzig -> PL 50-001 Wroclaw",
      "loading 26.11.2026, 9 t, tautliner",
    ].join("\n");
    const read = await requests(note);
    expect(read.map(({ requirements }) => requirements?.capacity)).toEqual([24, 9]);
    expect(read.map(({ locations }) => locations?.[0]?.address?.postalCode)).toEqual(["50-001", "04158"]);
  });

  test("the company and phone number of the signature are the requester's, and last year's price is not the price", async () => {
    const mail = [
      "From: Ute Brandt <ute@nordhandel.example>",
      "Subject: Anfrage Kassel - Hamburg",
      "Date: Fri, 20 Nov 2026 09:14:00 +0000",
      "Content-Type: text/plain; charset=utf-8",
      "",
      "Kassel - Hamburg, 24.11., 22 t, Plane. Letztes Jahr 610 EUR.",
      "Ute Brandt",
      "Nordhandel GmbH",
      "0561 555 1234",
      "",
    ].join("\r\n");
    const data = await request(mail, "mail.eml");
    expect(data.requestedBy).toMatchObject({
      name: "Nordhandel GmbH",
      contactPerson: { name: "Ute Brandt", phone: "0561 555 1234" },
    });
    expect(data.payment?.from).toBeUndefined();
  });
});
