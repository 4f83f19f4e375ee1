import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { toPng } from "../../../training/scans/png.ts";
import { apiClient } from "../../support/api-client.ts";
import { orderText } from "../../support/papers/order.ts";
import { scanOf } from "../../support/scans/scan.ts";
import { openService, type TestService } from "../../support/service.ts";
import { leipzigToWroclaw, readAs } from "./scanned-orders.ts";

// OCR of a page takes two seconds on a quiet machine.
vi.setConfig({ testTimeout: 180_000 });

let service: TestService;

beforeAll(async () => {
  service = await openService({ ocr: true });
});

afterAll(() => service.stop());

const anyone = () => apiClient(service, service.company().key);

describe("a scan of an order is read", () => {
  const order = (number: string) => scanOf(orderText(number));

  test("from a PNG, with its evidence", async () => {
    const ask = anyone();
    const { orderId, orders } = await readAs(ask, "scan.png", toPng(await order("OR-2026-0071")));
    expect(orders).toMatchObject([{ data: { orderNumber: "OR-2026-0071", ...leipzigToWroclaw } }]);
    interface Evidence {
      text: string;
      page: number;
      box: number[];
      confidence: number;
    }
    const { body } = await ask<{ fields: Record<string, Evidence> }>("GET", `/api/v1/orders/${orderId}/extraction`);
    const number = body.fields["/orderNumber"]!;
    expect(number).toMatchObject({ text: "OR-2026-0071", page: 1 });
    expect(number).not.toHaveProperty("seen");
    const [left = 1, top = 1, right = 0, foot = 0] = number.box;
    expect(left < right && top < foot && foot < 0.2).toBe(true);
  });
});

describe("a picture that cannot be read", () => {
  const why = async (name: string, bytes: Uint8Array) => (await readAs(anyone(), name, bytes)).orders;

  test("is reported as blank", async () => {
    const blank = { width: 400, height: 500, gray: new Uint8Array(400 * 500).fill(250) };
    expect(await why("blank.png", toPng(blank))).toMatchObject([{ status: "Failed", errorCode: "no_text_found" }]);
    const dot = { width: 1, height: 1, gray: new Uint8Array(1) };
    expect(await why("dot.png", toPng(dot))).toMatchObject([{ status: "Failed", errorCode: "no_text_found" }]);
  });
});
