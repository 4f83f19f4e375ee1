import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { spokenOfLast, spokenOfLater } from "../../support/mail-entities-later.ts";
import { spokenOf } from "../../support/mail-entities.ts";
import { openService, type TestService } from "../../support/service.ts";

interface Told {
  entities: {
    orderNumbers: string[];
    licensePlates: string[];
    vatCodes: string[];
    places: { countryCode?: string; postalCode?: string; city?: string }[];
  };
}

let service: TestService;
let ask: ApiClient;

beforeAll(async () => {
  service = await openService();
  ask = apiClient(service, service.company().key);
});

afterAll(() => service.stop());

const told = async (json: unknown) =>
  (await ask<Told>("POST", "/api/v1/classifications/email", { json })).body.entities;

describe("the entities of a classified mail", () => {
  test.each(
    [...spokenOf, ...spokenOfLater, ...spokenOfLast].map((mail) => ({
      ...mail,
      begins: `${mail.language}: ${mail.subject ?? mail.text.slice(0, 60)}`,
    })),
  )(
    "are found in: $begins",
    async ({ subject, text, orderNumbers = [], licensePlates = [], vatCodes = [], places = [] }) => {
      const entities = await told({ ...(subject && { subject }), text });
      expect({
        orderNumbers: entities.orderNumbers.toSorted(),
        licensePlates: entities.licensePlates.toSorted(),
        vatCodes: entities.vatCodes,
        places: entities.places
          .map((place) =>
            [place.countryCode, place.postalCode, place.city].filter((part) => part !== undefined).join(" "),
          )
          .toSorted(),
      }).toEqual({
        orderNumbers: orderNumbers.toSorted(),
        licensePlates: licensePlates.toSorted(),
        vatCodes,
        places: places.toSorted(),
      });
    },
  );
});
