import { afterAll, beforeAll, expect, test } from "vitest";
import { apiClient } from "../../support/api-client.ts";
import { waitForMail, eml, deliverMail } from "../../support/incoming-mails.ts";
import { pdfPages } from "../../support/papers/pdf.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService({ vars: { LOCAL_MAIL: "true" } });
});

afterAll(() => service.stop());

test("dates without a year in a file refer to the day its mail was sent, however long ago", async () => {
  const company = service.company();
  const ask = apiClient(service, company.key);
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000);
  const short = (date: Date) => date.toISOString().slice(5, 10).split("-").toReversed().join(".") + ".";
  const [loading, unloading] = [day(197), day(196)];
  const lines = [
    "Transport order TO-2047",
    "Loading",
    "Muster Papierwerke GmbH",
    "Hafenstr. 4",
    "20457 Hamburg, Germany",
    `Date: ${short(loading)}`,
    "Unloading",
    "Drukarnia Sp. z o.o.",
    "ul. Fabryczna 18",
    "53-609 Wroclaw, Poland",
    `Date: ${short(unloading)}`,
    "Price: 780 EUR",
  ];
  const headers = [`Date: ${day(200).toUTCString()}`];
  const raw = eml({ subject: "Transport order", text: "Please find our order.", headers }, [
    { name: "order.pdf", bytes: pdfPages([lines]) },
  ]);
  const { mailId } = await deliverMail(service, company, raw);
  const { routed: made } = await waitForMail(ask, mailId, ({ routed: all }) => expect(all).toHaveLength(1));
  const read = async () => (await ask("GET", `/api/v2/orders/${made[0]!.id}`)).body;
  await expect.poll(read).toMatchObject([
    {
      data: {
        locations: [loading, unloading].map((date) => ({
          startDate: expect.stringMatching(`^${date.toISOString().slice(0, 10)}`) as string,
        })),
      },
    },
  ]);
});
