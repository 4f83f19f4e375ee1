import { Buffer } from "node:buffer";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient, form, type ApiClient } from "../../support/api-client.ts";
import {
  runAutomation,
  waitUntilEnded,
  fine,
  matchFine,
  fleetVehicle,
  orderOnRoad,
  root,
  evidenceMessage,
  waiting,
  type Received,
} from "../../support/fines.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const anyone = () => apiClient(service, service.company().key);

const notice = (plate: string, number = "445 112 884 3") => `STADT LEIPZIG - BUSSGELDBEHÖRDE
Postfach 100, 04092 Leipzig

BUSSGELDBESCHEID
Aktenzeichen: ${number}
Tatzeit: 14.07.2026, 09:42 Uhr
Tatort: A14, Leipzig-Mitte
Kennzeichen: ${plate} (PL)
Verstoß: Überschreitung der zulässigen Höchstgeschwindigkeit
Zulässige Geschwindigkeit: 100 km/h
Gemessene Geschwindigkeit: 124 km/h
Geldbuße: 88,50 EUR
IBAN: DE89 3704 0044 0532 0130 00
Zahlbar bis: 22.08.2026`;

const asDocument = async (ask: ApiClient, text: string): Promise<string> => {
  const json = { type: "Fines", file: Buffer.from(text).toString("base64"), fileName: "notice.txt" };
  return (await ask<{ documentId: string }>("POST", "/api/v1/documents", { json })).body.documentId;
};

describe.concurrent("an automation of fines", () => {
  test("is accepted at once, and answers with an integer status, Message, nulls and internalId", async () => {
    const ask = anyone();
    const vehicleId = await fleetVehicle(ask, "WGM 12345");
    const orderId = await orderOnRoad(ask, "WGM 12345", "2026-07-14T06:00", "2026-07-15T07:00");
    const taken = await ask<Received>("POST", `${root}/fines`, {
      json: { fines: [fine("wgm-12345", { place: "Görlitz" })], metadata: { internalId: "F-1" } },
    });
    expect(taken.status).toBe(202);
    const { automationId } = taken.body;
    expect(taken.body).toEqual({ automationId });
    expect(taken.headers.get("location")).toBe(`${root}/${automationId}`);
    const automation = await waitUntilEnded(ask, automationId);
    expect(Object.keys(automation).sort()).toEqual(["Message", "data", "errorCode", "metadata", "status"]);
    expect(automation).toMatchObject({ status: 2, errorCode: null, Message: null, metadata: { internalId: "F-1" } });
    const [item] = automation.data!.items;
    expect(item).toMatchObject({
      index: 0,
      documentId: null,
      licensePlate: "WGM12345",
      offenceAt: "2026-07-14T09:42",
      amount: 40,
      vehicleId,
      driver: { name: "Jan Przykładowy", phone: "+48 22 555 01 01" },
      orderId,
      confidence: 0.941,
      candidates: [],
      matchStatus: "Matched",
      duplicateOf: null,
      entered: true,
      needsReview: false,
      resolution: null,
      errorCode: null,
      message: null,
    });
    expect(item!.evidence.map(({ step }) => step)).toEqual(["Plate", "Time", "Driver", "Order"]);
    expect(evidenceMessage(item!, "Order")).toMatch(
      /between stop 1 \(Leipzig\) and stop 2 \(Wrocław\), \d+ km from the line/,
    );
    expect(automation.data!.counts).toMatchObject({ total: 1, matched: 1, entered: 1, needsReview: 0, pending: 0 });
  });

  test("without an internalId has its own id as internalId", async () => {
    const { id, automation } = await runAutomation(anyone(), { fines: [fine("ZZ 99999")], metadata: { dossier: "7" } });
    expect(automation.metadata).toEqual({ internalId: id, dossier: "7" });
  });

  test("with Prefer: wait returns the finished automation", async () => {
    const { status, body } = await anyone()<Received>("POST", `${root}/fines`, {
      json: { fines: [fine("ZZ 99998")] },
      headers: waiting,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 4,
      automation: { status: 4, Message: expect.stringContaining("1 of 1 fine ") },
    });
  });

  test("emits AutomationCompleted at its end, and is found in lists by each parameter", async () => {
    const ask = anyone();
    const { id } = await runAutomation(ask, { fines: [fine("ZZ 99997")], metadata: { internalId: "F-2" } });
    const events = await vi.waitUntil(
      async () => {
        const { body } = await ask<{ items: { eventType: string; resource: { id: string } }[] }>(
          "GET",
          "/api/v1/events",
        );
        return body.items.length > 0 ? body.items : undefined;
      },
      { timeout: 50_000, interval: 100 },
    );
    expect(events).toMatchObject([
      {
        eventType: "AutomationCompleted",
        status: "NeedsReview",
        previousStatus: "Running",
        resource: { type: "Automation", id },
        metadata: { internalId: "F-2" },
      },
    ]);
    for (const query of [
      "status=4",
      "internalId=F-2",
      "licensePlate=ZZ-99997",
      "matchStatus=VehicleUnknown",
      "text=pcn",
    ]) {
      await vi.waitFor(
        async () => {
          const { body } = await ask<{ items: { automationId: string }[] }>("GET", `${root}?${query}`);
          expect(body.items, query).toMatchObject([
            { automationId: id, kind: "Fines", status: 4, counts: { total: 1 } },
          ]);
        },
        { timeout: 50_000, interval: 100 },
      );
    }
    expect((await ask<{ items: unknown[] }>("GET", `${root}?status=2`)).body.items).toEqual([]);
  });

  test("of another company is not found", async () => {
    const { id } = await runAutomation(anyone(), { fines: [fine("ZZ 99996")] });
    const stranger = anyone();
    expect((await stranger("GET", `${root}/${id}`)).status).toBe(404);
    for (const action of ["retry", "cancel"])
      expect((await stranger("POST", `${root}/${id}/${action}`)).status).toBe(404);
    const json = { items: [{ index: 0, action: "Dismiss" }] };
    expect((await stranger("POST", `${root}/${id}/resolve`, { json })).status).toBe(404);
    expect((await stranger("GET", `${root}/not-an-id`)).status).toBe(400);
  });

  test("does not use vehicles or documents of another company", async () => {
    const [owner, stranger] = [anyone(), anyone()];
    await fleetVehicle(owner, "WGM 70001");
    expect(await matchFine(stranger, fine("WGM 70001"))).toMatchObject({
      matchStatus: "VehicleUnknown",
      vehicleId: null,
    });
    const documentId = await asDocument(owner, notice("WGM 70001"));
    const { status, body } = await stranger<{ errors: { pointer: string }[] }>("POST", `${root}/fines`, {
      json: { documentIds: [documentId] },
    });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ code: "not_found", pointer: "/documentIds/0" }]);
  });
});

describe.concurrent("fines in files", () => {
  test("a notice becomes a document, and its fine has the document as evidence", async () => {
    const ask = anyone();
    const vehicleId = await fleetVehicle(ask, "WGM 22222");
    const body = form({ name: "notice.txt", bytes: notice("WGM 22222") }, { "metadata[internalId]": "N-1" });
    const answer = await ask<Received>("POST", `${root}/fines`, { body, headers: waiting });
    expect(answer.status).toBe(200);
    const { automation } = answer.body;
    expect(automation).toMatchObject({
      status: 2,
      metadata: { internalId: "N-1" },
      data: {
        items: [
          {
            licensePlate: "WGM22222",
            offenceAt: "2026-07-14T09:42",
            amount: 88.5,
            dueDate: "2026-08-22",
            countryCode: "DE",
            vehicleId,
            matchStatus: "Matched",
            entered: true,
          },
        ],
      },
    });
    const [item] = automation!.data!.items;
    expect(item!.evidence[0]).toMatchObject({ step: "Document", subject: { type: "Document", id: item!.documentId } });
    const document = await ask<{ type: string }>("GET", `/api/v1/documents/${item!.documentId}`);
    expect(document.body.type).toBe("Fines");
  });

  test("documents that were posted before are matched, also while they are still being extracted", async () => {
    const ask = anyone();
    const vehicleId = await fleetVehicle(ask, "WGM 33333");
    const documentId = await asDocument(ask, notice("WGM 33333", "445 112 884 4"));
    const invoice = await asDocument(ask, "INVOICE FV/1/2026\nDate: 12.10.2026\nSeller: A GmbH\nTotal 1414.50 EUR\n");
    const { automation, items } = await runAutomation(ask, { documentIds: [documentId, invoice, documentId] });
    expect(automation.status).toBe(4);
    expect(items).toMatchObject([
      { documentId, vehicleId, matchStatus: "Matched", entered: true },
      {
        documentId: invoice,
        matchStatus: null,
        entered: false,
        needsReview: true,
        errorCode: "input_not_a_document_of_this_kind",
      },
    ]);
    expect(automation.data!.counts).toMatchObject({ total: 2, unreadable: 1, needsReview: 1 });
  });

  const lists: [string, string, string][] = [
    [
      "German, semicolons",
      "bussgelder.csv",
      "Bußgelder Juli 2026\n\nAktenzeichen;Kennzeichen;Tatdatum;Uhrzeit;Tatort;Behörde;Betrag (EUR);Zahlbar bis\n" +
        "A-1;WGM 44444;14.07.2026;09:42;Leipzig;Stadt Leipzig;1.088,50;22.08.2026\n" +
        "A-2;ZZ 11111;15.07.2026;10:00;Leipzig;Stadt Leipzig;20,00;\n;;;;;Summe;1.108,50;\nGesamt;;;;;;1.108,50;\n",
    ],
    [
      "Polish, tabs",
      "mandaty.txt",
      "Numer sprawy\tNr rejestracyjny\tData i godzina\tMiejsce\tKwota mandatu\tWaluta\tTermin płatności\n" +
        "A-1\tWGM 44444\t14.07.2026 09:42\tLeipzig\t1 088,50\tEUR\t22.08.2026\nA-2\tZZ 11111\t2026-07-15 10:00\tLeipzig\t20\tEUR\t\n",
    ],
    [
      "English, commas, the month before the day",
      "fines.csv",
      '"Notice No","Vehicle Registration","Offence Date","Offence Time","Country","Penalty Amount","Currency","Due Date"\n' +
        '"A-1","WGM 44444","07/14/2026","9:42 AM","Germany","1,088.50","EUR","08/22/2026"\n' +
        '"A-2","ZZ 11111","07/15/2026","10:00 AM","Germany","20.00","EUR",""\n',
    ],
  ];

  test.each(lists)("a list in %s is read", async (_, name, bytes) => {
    const ask = anyone();
    const vehicleId = await fleetVehicle(ask, "WGM 44444");
    const { body } = await ask<Received>("POST", `${root}/fines`, { body: form({ name, bytes }) });
    const automation = await waitUntilEnded(ask, body.automationId);
    expect(automation.data?.items, JSON.stringify(automation)).toMatchObject([
      {
        reference: "A-1",
        licensePlate: "WGM44444",
        offenceAt: "2026-07-14T09:42",
        amount: 1088.5,
        currency: "EUR",
        dueDate: "2026-08-22",
        vehicleId,
        entered: true,
      },
      { reference: "A-2", licensePlate: "ZZ11111", amount: 20, matchStatus: "VehicleUnknown" },
    ]);
  });

  test("an invalid date in a list is quoted in the evidence", async () => {
    const ask = anyone();
    await fleetVehicle(ask, "WGM 44445");
    const bytes = "Aktenzeichen;Kennzeichen;Tatdatum;Uhrzeit;Betrag (EUR)\nA-1;WGM 44445;32.10.2026;09:42;20,00\n";
    const { body } = await ask<Received>("POST", `${root}/fines`, { body: form({ name: "a.csv", bytes }) });
    const [item] = (await waitUntilEnded(ask, body.automationId)).data!.items;
    expect(item).toMatchObject({ offenceAt: null, matchStatus: "DriverUnknown" });
    expect(evidenceMessage(item!, "Time")).toContain("32.10.2026");
  });

  test("a list without fines fails with a message, and data is null", async () => {
    const ask = anyone();
    const bytes = "Name;Phone;Town\nA;1;Leipzig\nB;2;Halle\n";
    const { body } = await ask<Received>("POST", `${root}/fines`, { body: form({ name: "a.csv", bytes }) });
    expect(await waitUntilEnded(ask, body.automationId)).toEqual({
      status: 3,
      errorCode: "input_not_a_document_of_this_kind",
      Message: expect.stringContaining("No fines were found"),
      data: null,
      metadata: { internalId: body.automationId },
    });
  });

  test("a list of more than 1000 fines fails with too_many_pages", async () => {
    const ask = anyone();
    const rows = Array.from({ length: 1001 }, (_, at) => `R-${at};ZZ ${10_000 + at};14.07.2026`);
    const bytes = `Aktenzeichen;Kennzeichen;Datum\n${rows.join("\n")}\n`;
    const { body } = await ask<Received>("POST", `${root}/fines`, { body: form({ name: "a.csv", bytes }) });
    expect(await waitUntilEnded(ask, body.automationId)).toMatchObject({
      status: 3,
      errorCode: "too_many_pages",
      data: null,
    });
  });
});
