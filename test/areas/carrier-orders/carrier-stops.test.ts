import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { carrierOrder, createCarrierOrder, readOrder, type CarrierAnswer } from "../../support/carriers.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;
let ask: ApiClient;

beforeAll(async () => {
  service = await openService();
  ask = apiClient(service, service.company().key);
});

afterAll(() => service.stop());

describe("a stop of a carrier order", () => {
  test.each([
    [
      "a town in another spelling",
      { countryCode: "PL", city: "WROCLAW" },
      "Wrocław",
      { latitude: 51.1, longitude: 17.0333 },
    ],
    [
      "a town in another language",
      { countryCode: "PL", city: "Breslau" },
      "Wrocław",
      { latitude: 51.1, longitude: 17.0333 },
    ],
    [
      "a place with a position of its own",
      { countryCode: "DE", city: "Muenchen", position: { latitude: 48.2, longitude: 11.7 } },
      "München",
      { latitude: 48.2, longitude: 11.7 },
    ],
    ["an unknown town", { countryCode: "PL", city: "Nigdziewo" }, undefined, {}],
    ["a town without a country", { city: "Wrocław" }, undefined, {}],
  ])("with %s has the name and coordinates of the gazetteer", async (_, place, normalizedCity, coordinates) => {
    const { orderId, data } = await createCarrierOrder(ask, { locations: [{ type: "Loading", ...place }] });
    expect(data.locations[0]).toMatchObject({ city: place.city, coordinates });
    expect(data.locations[0]!.normalizedCity).toBe(normalizedCity);
    expect((await readOrder(ask, orderId)).data.locations).toEqual(data.locations);
  });

  test("is looked up again when it is replaced", async () => {
    const sent = carrierOrder({ locations: [{ type: "Loading", countryCode: "PL", city: "Breslau" }] });
    const { orderId } = await createCarrierOrder(ask, sent);
    const locations = [{ type: "Loading", countryCode: "PL", city: "Krakow" }];
    const { body } = await ask<CarrierAnswer>("PUT", `/api/v1/orders/${orderId}`, { json: { ...sent, locations } });
    expect(body.data.locations).toMatchObject([{ city: "Krakow", normalizedCity: "Kraków" }]);
  });
});
