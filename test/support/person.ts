import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Response as Answer } from "miniflare";
import { expect, vi } from "vitest";
import { apiClient, form, type ApiClient } from "./api-client.ts";
import { carrierOrder, uploadDocument } from "./carriers.ts";
import { invoice, splitCollection } from "./document-collections.ts";
import { createFreight } from "./freights.ts";
import { shareWith } from "./guests.ts";
import { pdfPages } from "./papers/pdf.ts";
import { openService, type TestService } from "./service.ts";

// A person whose data a company has stored in every place where the service may store personal data.

export const petra = { name: "Petra Sondermann", email: "petra.sondermann@fahrer.example", phone: "+48 601 777 423" };

/**
 * Matches the person's name, email and phone in every notation. A name may contain a line break, also an escaped one in
 * JSON.
 */
export const traces =
  /petra(?:[\s.,]|\\n)+sondermann|sondermann(?:[\s,]|\\n)+petra|petra\.sondermann@|601[\s.-]?777[\s.-]?423/i;

export interface PersonalService {
  service: TestService;
  ask: ApiClient;
  company: { key: string; id: string };
  /** Folder that contains the whole state. */
  state: string;
}

/** Opens a service with one company. `from` is a stopped one, whose state is opened again. */
export async function openPersonalService(from?: PersonalService): Promise<PersonalService> {
  const state = from?.state ?? (await mkdtemp(join(tmpdir(), "lorry-privacy-")));
  const company = from?.company ?? { key: `test-${randomUUID()}`, id: randomUUID() };
  const service = await openService({
    state,
    // The responses of the receivers name the person.
    internet: () => Answer.json({ noted: `For:\n${petra.name}\n${petra.email}` }),
    vars: {
      LOCAL_KEYS: JSON.stringify({ [company.key]: company.id }),
      SEAL_KEY: sealKey,
      LOCAL_MAIL: "true",
      // Makes each step a separate run of the job, so that the job is resumed from every position.
      PRIVACY_STRETCH_MS: "1",
    },
  });
  return { service, ask: apiClient(service, company.key), company, state };
}

const sealKey = randomBytes(32).toString("base64");

/** Returns the body of a response that must be successful. */
export async function good<Body>(reply: Promise<{ status: number; body: Body }>): Promise<Body> {
  const { status, body } = await reply;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body;
}

const wait = { prefer: "wait=20" };

/** Ids of the records that contain the person's data. */
export interface PlacesOfPerson {
  vehicleId: string;
  /** The extracted order. */
  orderId: string;
  /** The carrier order that was sent as data. */
  given: string;
  freightId: string;
  /** The driver's document. */
  documentId: string;
  /**
   * Two collections, and the two documents of the second: the one to which a correction added the name, and the other.
   */
  piles: { pile: string; other: string; named: string; unnamed: string };
}

/** Stores the person's data in every place in which the service may store personal data for a company. */
export async function storeEverywhere(ask: ApiClient): Promise<PlacesOfPerson> {
  await good(
    ask("POST", "/api/v1/webhooks", {
      json: { eventType: "All", callbackUrl: "https://receiver.example/hook", payload: "Full" },
    }),
  );
  await good(ask("POST", "/api/v1/accounts", { json: { ...petra, role: "forwarder" } }));
  const { vehicleId } = await good(
    ask<{ vehicleId: string }>("POST", "/api/v1/vehicles", {
      json: {
        licensePlate: "WGM 12345",
        assignments: [{ driver: petra, from: "2026-11-01" }],
        comments: "Ask SONDERMANN, PETRA",
      },
    }),
  );
  const inputText = `TRANSPORT ORDER No. ${randomUUID()}\nCarrier: Musterlinie s.r.o., VAT CZ12345679\nDriver: ${petra.name}, ${petra.phone}\nLoading: 24.11.2026 08:00, 04158 Leipzig, DE\nUnloading: 25.11.2026 07:00, 53-609 Wrocław, PL\nFreight: 780 EUR`;
  const { orderId } = await good(
    ask<{ orderId: string }>("POST", "/api/v1/orders", { json: { inputText }, headers: wait }),
  );
  const given = await good(
    ask<{ orderId: string }>("POST", "/api/v1/orders", {
      json: carrierOrder({
        carrier: { name: "Musterlinie", email: petra.email },
        internalComments: `Driver:\n${petra.name}\n${petra.phone}\r\n${petra.email}`,
      }),
      headers: { "idempotency-key": "petra" },
    }),
  );
  await uploadDocument(ask, given.orderId, "cmr", `Received in good order: ${petra.name}`);
  await uploadDocument(ask, given.orderId, "invoice", "Invoice 4711 of nobody in particular");
  const { freightId } = await createFreight(ask, {
    owner: petra.email,
    internalComments: `Asked for by:\n${petra.name}`,
  });
  await shareWith(ask, freightId, petra);
  await good(
    ask("POST", "/api/v1/freights/offers", {
      json: {
        freightId,
        price: 900,
        carrier: { name: petra.name, email: petra.email },
        comments: `Yours\nPetra\nSondermann`,
      },
    }),
  );
  const { documentId } = await good(
    ask<{ documentId: string }>("POST", "/api/v1/drivers-documents", {
      body: form(
        { name: "licence.txt", bytes: `Driving licence ${randomUUID()}\n1. Sondermann\n2. Petra` },
        { driver: JSON.stringify(petra) },
      ),
      headers: wait,
    }),
  );
  await good(
    ask("POST", "/api/v1/opportunities", {
      json: {
        inputText: "A tautliner from Leipzig to Warsaw?",
        from: `${petra.name} <${petra.email}>`,
        subject: "Price",
      },
      headers: wait,
    }),
  );
  const raw = `From: ${petra.name} <${petra.email}>\r\nSubject: Our truck\r\nMessage-ID: <${randomUUID()}@fahrer.example>\r\nContent-Transfer-Encoding: base64\r\nContent-Type: text/plain\r\n\r\n${Buffer.from(`Yours, ${petra.name}`).toString("base64")}`;
  await good(ask("POST", "/dev/mail/in", { body: raw }));
  await good(
    ask("POST", "/api/v1/feedback", {
      json: {
        subject: { type: "Order", id: orderId },
        rating: "Bad",
        comment: `${petra.name} says so`,
        corrections: [{ path: "/orderNumber", value: "PS-1" }],
      },
    }),
  );
  await good(
    ask("POST", "/api/v1/transactions-feed", {
      json: {
        provider: "Beispielkarte",
        items: [
          {
            externalId: randomUUID(),
            kind: "Fuel",
            occurredAt: "2026-11-20T08:00:00Z",
            licensePlate: "XX 98765",
            driver: petra.name,
            quantity: 100,
            unit: "l",
            grossAmount: 150,
            currency: "EUR",
          },
        ],
      },
    }),
  );
  const statement = `Beleg-Nr.;Datum;Uhrzeit;Kennzeichen;Fahrer;Produkt;Menge;Brutto;Währung\n4711;05.10.2026;08:14;XX 98765;${petra.name};Diesel;400,00;595,00;EUR\n`;
  await good(
    ask("POST", "/api/v1/transactions-feed", {
      body: form({ name: "statement.csv", bytes: statement }, { "metadata[askedBy]": petra.name }),
    }),
  );
  const pile = await splitCollection(ask, [{ name: "scan.pdf", bytes: pdfPages([invoice("FV/118/2026")]) }], {
    "metadata[scannedBy]": petra.name,
  });
  const other = await splitCollection(ask, [
    { name: "other.pdf", bytes: pdfPages([invoice("FV/119/2026"), invoice("FV/120/2026")]) },
  ]);
  // The scan does not contain the name, but a correction adds the name to the document that was extracted from the
  // scan.
  const [named, unnamed] = other.documents.map(({ documentId }) => documentId);
  await good(
    ask("POST", "/api/v1/feedback", {
      json: {
        subject: { type: "Document", id: named },
        rating: "Bad",
        corrections: [{ path: "/buyer/name", value: petra.name }],
      },
    }),
  );
  await ask("POST", "/api/v1/documents/quality", {
    body: form({ name: "letter.pdf", bytes: pdfPages([invoice("FV/121/2026")]) }, { "metadata[for]": petra.email }),
    headers: wait,
  });
  const piles = { pile: pile.collectionId, other: other.collectionId, named: named!, unnamed: unnamed! };
  return { piles, vehicleId, orderId, given: given.orderId, freightId, documentId };
}

/** Waits until all events are delivered and the archive has the latest changes. */
export const settled = (ask: ApiClient): Promise<void> =>
  vi.waitFor(
    async () => {
      const corrected = await ask<{ items: unknown[] }>(
        "GET",
        `/api/v1/documents?text=${encodeURIComponent(petra.name)}`,
      );
      expect(corrected.body.items).not.toEqual([]);
      const { body } = await ask<{ items: { pending: number }[] }>("GET", "/api/v1/webhooks");
      expect(body.items).toMatchObject([{ pending: 0 }]);
      expect((await ask<{ items: unknown[] }>("GET", "/api/v1/mails")).body.items).toHaveLength(1);
    },
    { timeout: 150_000, interval: 250 },
  );
