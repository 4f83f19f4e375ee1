import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { StoredMail } from "../../../src/platform/mail.ts";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { growing, createFreight, read, stops } from "../../support/freights.ts";
import { shareWith, visitorOf } from "../../support/guests.ts";
import { openService, type TestService } from "../../support/service.ts";

// The content of the mail with a guest's link.

let service: TestService;
let ask: ApiClient;

beforeAll(async () => {
  service = await openService({ vars: { LOCAL_MAIL: "true" } });
  ask = apiClient(service, service.company().key);
});

afterAll(() => service.stop());

let addresses = 0;

/** Shares a new freight with a guest, and waits for the guest's mail. */
async function invited({ body = {}, language, how }: { body?: object; language?: string; how?: object } = {}) {
  const { freightId } = await createFreight(ask, { ...body });
  const recipient = { email: `guest-${++addresses}@carrier.example`, ...(language && { language }) };
  const { path } = await shareWith(ask, freightId, recipient, { ...how });
  return { freightId, path, ...(await mailTo(recipient.email)) };
}

const mailTo = (email: string): Promise<StoredMail> =>
  vi.waitFor(
    async () => {
      const { body } = await ask<{ items: StoredMail[] }>("GET", "/dev/mail", {
        headers: { accept: "application/json" },
      });
      const mail = body.items.find(({ to }) => to === email);
      expect(mail).toBeDefined();
      return mail!;
    },
    { timeout: 50_000 },
  );

test("the mail has the route, the load and the current price, and no private fields of the owner", async () => {
  const { text } = await invited({ body: { payment: { ...growing(), term: 45 }, internalComments: "Keep it low" } });
  const lines = [
    "Loading: DE 04158 Leipzig, ",
    "Unloading: PL 53-609 Wrocław, ",
    "24\u00a0t",
    "Price: €1,000",
    "45 days",
  ];
  for (const part of lines) expect(text).toContain(part);
  expect(text).not.toMatch(/1[,.]?300|Keep it low|dispo@trans\.example/);
});

test("times in the mail are local times of the stops", async () => {
  const [first, last] = stops();
  const startDate = `${first!.period.startDate.slice(0, 10)}T23:30:00.000Z`;
  const { subject, text } = await invited({ body: { locations: [{ ...first, period: { startDate } }, last] } });
  const inLeipzig = (more: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Berlin", ...more }).format(new Date(startDate));
  const day = { weekday: "short", day: "numeric", month: "short" } as const;
  const time = inLeipzig({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  expect(subject).toBe(`Freight Leipzig → Wrocław, ${inLeipzig(day)}`);
  expect(text).toContain(`Leipzig, ${inLeipzig({ ...day, year: "numeric" })}, ${time}\n`);
});

test.each([
  ["pl", "Ładunek Leipzig → Wrocław, ", "Załadunek: DE 04158 Leipzig, ", "pl"],
  ["de-AT", "Fracht Leipzig → Wrocław, ", "Beladen: DE 04158 Leipzig, ", "de"],
  ["ja", "Freight Leipzig → Wrocław, ", "Loading: DE 04158 Leipzig, ", "en"],
])(
  "a mail for the language %s has the language of the page that it links to",
  async (language, title, stop, spoken) => {
    const { subject, text, path, freightId } = await invited({ language });
    expect(subject).toContain(title);
    expect(text).toContain(stop);
    expect(text).toContain(`${path}?lang=${spoken}\n`);
    expect((await visitorOf(service).visit(`${path}?lang=${spoken}`)).body).toContain(`<html lang="${spoken}"`);
    expect((await read(ask, freightId)).body.shares).toMatchObject([{ language }]);
  },
);

test("sharing again changes the language of an invitation that is not yet sent", async () => {
  const { freightId } = await createFreight(ask);
  const email = `guest-${++addresses}@carrier.example`;
  const again = async (afterMinutes: number, language?: string) => {
    const tiers = [{ afterMinutes, recipients: [{ email, ...(language && { language }) }] }];
    const { status } = await ask("POST", "/api/v1/freights/share", { json: { freightIds: [freightId], tiers } });
    expect(status).toBe(200);
  };
  const shares = async () => (await read(ask, freightId)).body.shares;
  await again(30);
  await again(60, "pl");
  expect(await shares()).toMatchObject([{ status: "Waiting", language: "pl" }]);
  await again(60);
  expect(await shares()).toMatchObject([{ status: "Waiting", language: "pl" }]);
  await again(0, "cs");
  expect((await mailTo(email)).text).toContain("?lang=cs");
});

test.each(["German", "d", "DE", 4])("the recipient language %s is refused", async (language) => {
  const { freightId } = await createFreight(ask);
  const recipients = [{ email: "nobody@carrier.example", language }];
  const { status } = await ask("POST", "/api/v1/freights/share", { json: { freightIds: [freightId], recipients } });
  expect(status).toBe(400);
});

test("the mail has no price if the share hides it", async () => {
  const { text } = await invited({ how: { hidePrice: true } });
  expect(text).toContain("Name your price");
  expect(text).not.toMatch(/1[,.]?000|EUR|€/);
});
