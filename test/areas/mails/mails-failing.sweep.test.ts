import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import type { Job } from "../../../src/platform/env.ts";
import { apiClient } from "../../support/api-client.ts";
import { openService } from "../../support/service.ts";
import { transactionClient, purchase } from "../../support/transactions.ts";

// A mail with one attachment that can never be posted.

const order = `TRANSPORT ORDER No. ${randomUUID()}
Customer: Muster Spedition GmbH, Hafenstr. 4, 20457 Hamburg, DE, VAT DE123456788
Carrier: Musterlinie s.r.o., VAT CZ12345679
Loading: 24.11.2026 08:00-12:00, Muster Papier GmbH, Industriestr. 5, 04158 Leipzig, DE
Unloading: 25.11.2026 07:00-15:00, Magazyn Przykład, ul. Polna 3, 53-609 Wrocław, PL
Goods: 33 pallets of paper, 22000 kg. Freight: 780 EUR, payment 30 days.`;
const statement =
  "Receipt no;Date;Time;Plate;Product;Quantity;Gross;Currency\n4711;05.10.2026;08:14;WGM 12345;Diesel;400,00;595,00;EUR\n";

const part = (name: string, text: string) =>
  `--mark\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(text).toString("base64")}\r\n`;
const mail = `From: dispo@sender.example\r\nSubject: Papers\r\nMessage-ID: <${randomUUID()}@sender.example>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="mark"\r\n\r\n${part("order.txt", order)}${part("statement.csv", statement)}--mark--\r\n`;

/** Breaks the only ledger in the folder, so that every write to it fails. */
async function breakLedger(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true });
  const path = files.find((file) => /LedgerObject.*[0-9a-f]{64}\.sqlite$/.test(file));
  const database = new DatabaseSync(join(folder, path!));
  database.exec("alter table feed rename to feed_before; create view feed as select * from feed_before");
  database.close();
}

test(
  "a mail is completed although one of its files cannot be posted; that file is reported with an error",
  { timeout: 200_000 },
  async () => {
    const state = await mkdtemp(join(tmpdir(), "lorry-mails-"));
    const company = { key: `test-${randomUUID()}`, id: randomUUID() };
    const opened = () =>
      openService({ state, vars: { LOCAL_MAIL: "true", LOCAL_KEYS: JSON.stringify({ [company.key]: company.id }) } });
    let service = await opened();
    await transactionClient(service, company).post([purchase()]);
    await service.stop();
    await breakLedger(state);

    service = await opened();
    const ask = apiClient(service, company.key);
    const { body: taken } = await ask<{ mailId: string }>("POST", "/dev/mail/in", { body: mail });
    const queue = await service.mf.getQueueProducer<Job>("WORK", "lorry");
    const routed = await vi.waitFor(
      async () => {
        // Repeats the job at once instead of waiting for its retry.
        await queue.send({ binding: "MAILS", company: company.id, id: taken.mailId, work: "mails.route" });
        const { body } = await ask<{ status: string; routed: object[] }>("GET", `/api/v1/mails/${taken.mailId}`);
        expect(body.status).not.toBe("Received");
        return body;
      },
      { timeout: 150_000, interval: 500 },
    );
    expect(routed).toMatchObject({
      status: "Routed",
      routed: [
        { path: "/api/v1/orders/file", attachment: "order.txt", id: expect.any(String) },
        { path: "/api/v1/transactions-feed", attachment: "statement.csv", errorCode: "internal_error" },
      ],
    });
    await service.stop();
    await rm(state, { recursive: true });
  },
);
