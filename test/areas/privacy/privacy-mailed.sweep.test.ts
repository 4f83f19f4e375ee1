import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { apiClient } from "../../support/api-client.ts";
import { completePrivacyRequest } from "../../support/privacy.ts";
import { waitForMail, eml, deliverMail, soon } from "../../support/incoming-mails.ts";
import { pdfPages } from "../../support/papers/pdf.ts";
import { invoice } from "../../support/document-collections.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService({ vars: { LOCAL_MAIL: "true" }, own: true });
});

afterAll(() => service.stop());

test(
  "a person who mailed a file is erased from its record, and the file is deleted if it names the person",
  { timeout: 300_000 },
  async () => {
    const company = service.company();
    const ask = apiClient(service, company.key);
    const marek = { name: "Marek Przesyłkowy", email: "marek@trans.example" };
    const text = "Hello, please find our invoices attached.";
    const { mailId } = await deliverMail(
      service,
      company,
      eml({ subject: "Invoices", text, from: `${marek.name} <${marek.email}>` }, [
        { name: "plain.pdf", bytes: pdfPages([invoice("FV/301/2026")]) },
        { name: "naming.pdf", bytes: pdfPages([[...invoice("FV/302/2026"), `Contact: ${marek.email}`]]) },
      ]),
    );
    const { routed } = await waitForMail(ask, mailId, ({ routed: posts }) => expect(posts).toHaveLength(2));
    const idOf = (name: string) => routed.find(({ attachment }) => attachment === name)!.id!;
    const read = (name: string) =>
      vi.waitFor(async () => {
        const { body } = await ask<{ status: string; metadata: Record<string, string> }>(
          "GET",
          `/api/v1/documents/${idOf(name)}`,
        );
        expect(body.status).toMatch(/^(?:Succeeded|Partial)$/);
        return body;
      }, soon);
    const file = async (name: string) => (await ask("GET", `/api/v1/documents/${idOf(name)}/file`)).status;
    expect((await read("plain.pdf")).metadata).toMatchObject({ OriginalSender: marek.email });
    await read("naming.pdf");
    expect([await file("plain.pdf"), await file("naming.pdf")]).toEqual([200, 200]);

    await completePrivacyRequest(ask, "erase", marek);
    expect([await file("plain.pdf"), await file("naming.pdf")]).toEqual([200, 404]);
    expect((await read("plain.pdf")).metadata).toMatchObject({ OriginalSender: "erased@privacy.invalid" });
    expect((await ask("GET", `/api/v1/mails/${mailId}/file`)).status).toBe(404);
  },
);
