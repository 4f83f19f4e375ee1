import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient, form, type ApiClient } from "../../support/api-client.ts";
import {
  assigned,
  runAutomation,
  waitUntilEnded,
  fine,
  fleetVehicle,
  orderOnRoad,
  readAutomation,
  root,
  type Automation,
  type Received,
} from "../../support/fines.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const anyone = () => apiClient(service, service.company().key);

describe.concurrent("a repetition", () => {
  test("with the same idempotency key gets the same automation, and with another file is refused", async () => {
    const ask = anyone();
    const bytes = (plate: string) => `Aktenzeichen;Kennzeichen;Datum\nR-1;${plate};14.07.2026\n`;
    const post = (plate: string) =>
      ask<Received & { errorCode?: string }>("POST", `${root}/fines`, {
        body: form({ name: "a.csv", bytes: bytes(plate) }),
        headers: { "idempotency-key": "once" },
      });
    const [first, second, other] = [await post("ZZ 1"), await post("ZZ 1"), await post("ZZ 2")];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(other).toMatchObject({ status: 422, body: { errorCode: "idempotency_key_reused" } });
  });

  test("of a queue message changes nothing", async () => {
    const company = service.company();
    const ask = apiClient(service, company.key);
    await fleetVehicle(ask, "WGM 55555");
    const { id } = await runAutomation(ask, { fines: [fine("WGM 55555"), fine("ZZ 55555")] });
    const before = await ask<Automation>("GET", `${root}/${id}`);
    const queue = await service.mf.getQueueProducer("WORK", "lorry");
    const job = { binding: "AUTOMATIONS", company: company.id, id };
    for (const work of ["automations.run", "automations.release", "automations.run"])
      await queue.send({ ...job, work });
    const { id: later } = await runAutomation(ask, { fines: [fine("WGM 55555", { offenceAt: "2026-07-15T10:00" })] });
    expect((await readAutomation(ask, later)).status).toBe(2);
    const after = await ask<Automation>("GET", `${root}/${id}`);
    expect(after.body).toEqual(before.body);
    expect(after.headers.get("etag")).toBe(before.headers.get("etag"));
  });
});

describe.concurrent("a review", () => {
  const resolve = (ask: ApiClient, id: string, ...items: Record<string, unknown>[]) =>
    ask<
      Automation & { errorCode?: string; errors?: { pointer: string }[]; currentStatus?: number; allowed?: number[] }
    >("POST", `${root}/${id}/resolve`, { json: { items } });

  test("decides fine by fine until none is left", async () => {
    const ask = anyone();
    const vehicleId = await fleetVehicle(ask, "WGM 66666", [
      assigned("Jan Przykładowy", "2026-07-01", "2026-07-20"),
      assigned("Anna Przykładowa", "2026-07-10", "2026-07-31"),
    ]);
    const { id } = await runAutomation(ask, {
      fines: [fine("WGM 66666"), fine("ZZ 66666", { offenceAt: "2026-07-25T10:00" }), fine("ZZ 66667")],
    });
    const missing = await resolve(ask, id, { index: 0, action: "Enter" }, { index: 9, action: "Dismiss" });
    expect(missing.status).toBe(400);
    expect(missing.body.errors!.map(({ pointer }) => pointer)).toEqual(["/items/0/driver", "/items/1/index"]);

    const driver = { name: "Jan Przykładowy" };
    const first = await resolve(ask, id, { index: 0, action: "Enter", driver, comment: "He says so." });
    expect(first).toMatchObject({ status: 200, body: { status: 4, Message: expect.stringContaining("2 of 3") } });
    expect(first.body.data!.items[0]).toMatchObject({
      vehicleId,
      driver,
      entered: true,
      needsReview: false,
      matchStatus: "Ambiguous",
      resolution: { action: "Enter", comment: "He says so." },
    });

    const last = await resolve(ask, id, { index: 1, action: "enter", vehicleId }, { index: 2, action: "Dismiss" });
    expect(last.body).toMatchObject({ status: 2, Message: null, data: { counts: { entered: 2, needsReview: 0 } } });
    expect(last.body.data!.items[1]).toMatchObject({ vehicleId, driver: { name: "Anna Przykładowa" }, entered: true });
    expect(last.body.data!.items[2]).toMatchObject({ driver: null, entered: false, resolution: { action: "Dismiss" } });
    expect(await readAutomation(ask, id)).toEqual(last.body);

    expect(await resolve(ask, id, { index: 2, action: "Dismiss" })).toMatchObject({
      status: 409,
      body: { errorCode: "invalid_state", currentStatus: 2, allowed: [] },
    });
  });

  test("refuses a vehicle of another company", async () => {
    const ask = anyone();
    const strange = await fleetVehicle(anyone(), "WGM 66668");
    const { id } = await runAutomation(ask, { fines: [fine("ZZ 66669")] });
    const { status, body } = await resolve(ask, id, { index: 0, action: "Enter", vehicleId: strange });
    expect({ status, errors: body.errors }).toMatchObject({ status: 400, errors: [{ pointer: "/items/0/vehicleId" }] });
  });

  test("refuses an unknown order, and accepts an order of the company", async () => {
    const ask = anyone();
    const vehicleId = await fleetVehicle(ask, "WGM 66671");
    const { id } = await runAutomation(ask, { fines: [fine("ZZ 66671"), fine("ZZ 66672")] });
    const strange = "01a20322-4bfe-7f61-97b9-d7a8485f5b55";
    const refused = await resolve(ask, id, { index: 0, action: "Enter", vehicleId, orderId: strange });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: "/items/0/orderId" }] } });
    const orderId = await orderOnRoad(ask, "WGM 66671", "2026-07-13T08:00", "2026-07-15T08:00");
    const taken = await resolve(ask, id, { index: 0, action: "Enter", vehicleId, orderId });
    expect(taken).toMatchObject({ status: 200, body: { data: { items: [{ orderId, entered: true }, {}] } } });
  });

  test("can correct earlier decisions, including automatic ones, after the automation has ended", async () => {
    const ask = anyone();
    await fleetVehicle(ask, "WGM 66673");
    const { id } = await runAutomation(ask, { fines: [fine("WGM 66673"), fine("ZZ 66673")] });
    const anna = { name: "Anna Przykładowa" };
    const commands: [Record<string, unknown>, object, number][] = [
      [{ index: 0, action: "Enter", driver: anna }, { driver: anna, entered: true }, 4],
      [{ index: 1, action: "Dismiss" }, { entered: false, needsReview: false }, 2],
      [{ index: 0, action: "Dismiss" }, { driver: anna, entered: false, needsReview: false }, 2],
      [{ index: 1, action: "Enter", driver: anna, comment: "A slip." }, { driver: anna, entered: true }, 2],
    ];
    for (const [said, found, status] of commands) {
      const { body } = await resolve(ask, id, said);
      expect(body).toMatchObject({ status });
      expect(body.data!.items[said["index"] as number]).toMatchObject({
        ...found,
        resolution: { action: said["action"], comment: said["comment"] ?? null },
      });
    }
    expect(await resolve(ask, id, commands[3]![0])).toMatchObject({ status: 409, body: { currentStatus: 2 } });
    interface Event {
      eventType: string;
      status: string;
    }
    await vi.waitFor(
      async () => {
        const { body } = await ask<{ items: Event[] }>("GET", "/api/v1/events?eventType=AutomationCompleted");
        const told = body.items.map(({ status }) => status);
        expect(told).toEqual(["NeedsReview", "NeedsReview", "Success", "Success", "Success"]);
      },
      { timeout: 50_000, interval: 200 },
    );
  });

  test("uses a vehicle that was added after the run, and finds a candidate driver by name alone", async () => {
    const ask = anyone();
    await fleetVehicle(ask, "WGM 66674", [
      assigned("Jan Przykładowy", "2026-07-01"),
      assigned("Anna Przykładowa", "2026-07-01"),
    ]);
    const { id, items } = await runAutomation(ask, { fines: [fine("WGM 66674"), fine("NW 777")] });
    expect(items).toMatchObject([{ matchStatus: "Ambiguous" }, { matchStatus: "VehicleUnknown" }]);
    const vehicleId = await fleetVehicle(ask, "NW 777");
    const { body } = await resolve(
      ask,
      id,
      { index: 0, action: "Enter", driver: { name: "anna PRZYKŁADOWA" } },
      { index: 1, action: "Enter" },
    );
    expect(body.data!.items).toMatchObject([
      { driver: { name: "anna PRZYKŁADOWA", phone: "+48 22 555 01 01" }, entered: true },
      { vehicleId, driver: { name: "Jan Przykładowy" }, entered: true },
    ]);
  });

  test("can cancel: a fine that was not entered can be submitted again, an entered one is a duplicate", async () => {
    const ask = anyone();
    await fleetVehicle(ask, "WGM 66670");
    const [sure, unsure] = [fine("WGM 66670"), fine("ZZ 66670")];
    const { id } = await runAutomation(ask, { fines: [sure, unsure] });
    const cancelled = await ask<Automation>("POST", `${root}/${id}/cancel`);
    expect(cancelled).toMatchObject({ status: 200, body: { status: 5, data: { counts: { entered: 1 } } } });
    expect(await ask("POST", `${root}/${id}/cancel`)).toMatchObject({ status: 409, body: { currentStatus: 5 } });
    await vi.waitFor(
      async () => {
        const again = await runAutomation(ask, { fines: [unsure] });
        expect(again.items[0]).toMatchObject({ matchStatus: "VehicleUnknown" });
      },
      { timeout: 60_000 },
    );
    expect((await runAutomation(ask, { fines: [sure] })).items[0]).toMatchObject({
      matchStatus: "Duplicate",
      duplicateOf: { automationId: id, index: 0 },
    });
  });

  test("can retry a failed automation five times", async () => {
    const ask = anyone();
    const { body } = await ask<Received>("POST", `${root}/fines`, {
      body: form({ name: "a.csv", bytes: "Name;Phone;Town\nA;1;Leipzig\n" }),
    });
    const id = body.automationId;
    for (let time = 1; time <= 5; time++) {
      expect((await waitUntilEnded(ask, id)).status).toBe(3);
      const anew = await ask<Automation>("POST", `${root}/${id}/retry`);
      expect(anew).toMatchObject({ status: 200, body: { status: 0, errorCode: null, Message: null, data: null } });
    }
    expect((await waitUntilEnded(ask, id)).status).toBe(3);
    expect(await ask("POST", `${root}/${id}/retry`)).toMatchObject({
      status: 409,
      body: { errorCode: "invalid_state", currentStatus: 3, allowed: [] },
    });
    expect(await ask("POST", `${root}/${id}/cancel`)).toMatchObject({ status: 409, body: { allowed: [0] } });
  });
});
