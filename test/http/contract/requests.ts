import { randomUUID } from "node:crypto";
import { expect, vi } from "vitest";
import type { NamedOperation } from "../../../src/api.ts";
import { pathNames } from "../../../src/http/openapi/row.ts";
import type { TestService } from "../../support/service.ts";
import { freight, growing, stops } from "../../support/freights.ts";
import { createCompany, operatorKey, postJson, type TestCompany } from "./company.ts";
import { limitedLists, makeRoom, removeIdleWebhooks } from "./limits.ts";

/** One request, ready to be sent. */
export interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: BodyInit;
}

/** Creates a record for a path parameter and returns its id. `things`: the ids for the earlier parameters. */
type Maker = (service: TestService, firm: TestCompany, things: Record<string, string>) => Promise<string>;

const waits = { prefer: "wait=20" };

/** Creates a document of the given type. */
function documentAs(type?: string): Maker {
  return async (service, firm) => {
    const file = btoa(`Nothing but a number: ${randomUUID()}`);
    return (await postJson<{ documentId: string }>(service, "/api/v1/documents", firm.key, { type, file }, waits))
      .documentId;
  };
}

/** Creates a record for each path parameter. Makers named `area.name` or `area.operation.name` take precedence. */
export const pathParameterMakers: Record<string, Maker> = {
  "documents.documentId": documentAs(),
  "documents.readInvoice.documentId": documentAs("Invoices"),
  "documents.readReceipt.documentId": documentAs("Receipts"),
  "documents.readCmr.documentId": documentAs("Cmrs"),
  "documents.readFine.documentId": documentAs("Fines"),
  "documents.readInsurance.documentId": documentAs("Insurances"),
  async collectionId(service, firm) {
    const body = new FormData();
    body.append("file", new File([`Nothing but a number: ${randomUUID()}`], "a.txt"));
    const answer = await service.fetch("/api/v1/document-collections/files", {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${firm.key}`, ...waits },
    });
    return (await answer.json<{ collectionId: string }>()).collectionId;
  },
  async "documentCollections.documentId"(service, firm, things) {
    return (await collectionOf(service, firm, things)).documents[0]!.documentId;
  },
  async "documentCollections.itemId"(service, firm, things) {
    return (await collectionOf(service, firm, things)).documents[0]!.items[0]!.itemId;
  },
  async "quality.documentId"(service, firm) {
    const file = btoa(`Nothing but a number: ${randomUUID()}`);
    return (await postJson<{ documentId: string }>(service, "/api/v1/documents/quality", firm.key, { file }, waits))
      .documentId;
  },
  async "driversDocuments.documentId"(service, firm) {
    const file = btoa(`Nothing but a number: ${randomUUID()}`);
    const json = { driver: "Jan Przykładowy", file };
    return (await postJson<{ documentId: string }>(service, "/api/v1/drivers-documents", firm.key, json, waits))
      .documentId;
  },
  async opportunityId(service, firm) {
    const inputText = `Looking for a truck, Leipzig to Warsaw ${randomUUID()}`;
    return (await postJson<{ opportunityId: string }>(service, "/api/v1/opportunities", firm.key, { inputText }, waits))
      .opportunityId;
  },
  async "opportunities.readCustom.opportunityId"(service, firm, things) {
    await service.fetch("/api/v1/mapping-profiles/opportunities", {
      method: "PUT",
      body: JSON.stringify({ constants: { type: "SPOT" } }),
      headers: { authorization: `Bearer ${firm.key}`, "content-type": "application/json" },
    });
    return pathParameterMakers["opportunityId"]!(service, firm, things);
  },
  async "carrierOrders.orderId"(service, firm) {
    const order = { orderNumber: randomUUID(), carrier: { name: "Vzorová Doprava s.r.o.", vatCode: "CZ12345679" } };
    return (await postJson<{ orderId: string }>(service, "/api/v1/orders", firm.key, order)).orderId;
  },
  async documentId(service, firm, { orderId }) {
    const answer = await service.fetch(`/api/v1/orders/${orderId}/documents`, {
      method: "POST",
      body: uploadForm({ documentType: "cmr" }),
      headers: { authorization: `Bearer ${firm.key}` },
    });
    return (await answer.json<{ documentId: string }>()).documentId;
  },
  async orderId(service, firm) {
    const inputText = `Transport order ${randomUUID()}, Hamburg to Warsaw`;
    return (await postJson<{ orderId: string }>(service, "/api/v1/orders", firm.key, { inputText }, waits)).orderId;
  },
  async subscriptionId(service, firm) {
    const wanted = { eventType: "All", callbackUrl: "https://receiver.beispiel.de/hooks" };
    return (await postJson<{ subscriptionId: string }>(service, "/api/v1/webhooks", firm.key, wanted)).subscriptionId;
  },
  async deliveryId(service, firm, { subscriptionId }) {
    await pathParameterMakers["carrierOrders.orderId"]!(service, firm, {});
    const ask = { headers: { authorization: `Bearer ${firm.key}` } };
    return vi.waitFor(
      async () => {
        const answer = await service.fetch(`/api/v1/webhooks/${subscriptionId}/deliveries`, ask);
        const { items } = await answer.json<{ items: { deliveryId: string }[] }>();
        expect(items).not.toEqual([]);
        return items[0]!.deliveryId;
      },
      { timeout: 50_000 },
    );
  },
  async "exchangeRates.source"() {
    return "ECB";
  },
  async source(service, firm) {
    const wanted = { name: "Exchange", endpoint: "https://exchange.beispiel.de/lorry" };
    return `${(await postJson<{ source: number }>(service, "/api/v1/sources", firm.key, wanted)).source}`;
  },
  async freightId(service, firm) {
    const { freightId } = await postJson<{ freightId: string }>(service, "/api/v1/freights", firm.key, freight(), {
      accept: "application/json",
    });
    return freightId;
  },
  async "freights.readArchived.freightId"(service, firm) {
    const freightId = await pathParameterMakers["freightId"]!(service, firm, {});
    const headers = { authorization: `Bearer ${firm.key}` };
    await service.fetch(`/api/v1/freights/${freightId}`, { method: "DELETE", headers });
    return freightId;
  },
  async vehicleId(service, firm) {
    return (await postJson<{ vehicleId: string }>(service, "/api/v1/vehicles", firm.key, { licensePlate: "WGM 12345" }))
      .vehicleId;
  },
  async transactionId(service, firm) {
    const item = { occurredAt: "2026-11-19T18:42", externalId: randomUUID(), productName: "Diesel", quantity: 400 };
    const { feedId } = await handedIn(service, firm, item);
    const headers = { authorization: `Bearer ${firm.key}` };
    const answer = await service.fetch(`/api/v1/transactions-feed?feedId=${feedId}`, { headers });
    return (await answer.json<{ items: { transactionId: string }[] }>()).items[0]!.transactionId;
  },
  async automationId(service, firm) {
    const licensePlate = await plateOf(service, firm);
    return handedInFines(service, firm, { fines: [{ licensePlate, reference: randomUUID() }] });
  },
  /** Creates an automation that fails. */
  async "automations.retry.automationId"(service, firm) {
    const form = new FormData();
    form.append("file", new File([`Name;Town\n${randomUUID()};Leipzig\n`], "list.csv"));
    return handedInFines(service, firm, form);
  },
  async feedId(service, firm) {
    return (await handedIn(service, firm, { occurredAt: "2026-11-19" })).feedId;
  },
  async name() {
    return "vehicleTypes";
  },
  async offerId(service, firm, { freightId }) {
    const offer = {
      freightId,
      price: 1150,
      carrier: { name: "Vzorová Doprava", email: "dispo@vzorova-doprava.example" },
    };
    return (await postJson<{ offerId: string }>(service, "/api/v1/freights/offers", firm.key, offer)).offerId;
  },
  async feedbackId(service, firm) {
    const body = { subject: await classified(service, firm), rating: "Good" };
    const { feedbackId } = await postJson<{ feedbackId: string }>(service, "/api/v1/feedback", firm.key, body);
    const ask = { headers: { authorization: `Bearer ${firm.key}` } };
    await vi.waitFor(
      async () => {
        const answer = await service.fetch(`/api/v1/feedback/${feedbackId}`, ask);
        expect(await answer.json()).toMatchObject({ status: "Learnt" });
      },
      { timeout: 50_000 },
    );
    return feedbackId;
  },
  async mailId(service, firm) {
    const body = `From: a@sender.example\r\nSubject: Hello\r\nMessage-ID: <${randomUUID()}@sender.example>\r\n\r\nHello`;
    const init = { method: "POST", body, headers: { "x-api-key": firm.key } };
    const { mailId } = await (await service.fetch("/dev/mail/in", init)).json<{ mailId: string }>();
    await vi.waitFor(
      async () => {
        const answer = await service.fetch(`/api/v1/mails/${mailId}`, { headers: { "x-api-key": firm.key } });
        expect((await answer.json<{ status: string }>()).status).not.toBe("Received");
      },
      { timeout: 50_000 },
    );
    return mailId;
  },
  async privacyRequestId(service, firm) {
    const person = { email: `${randomUUID()}@fahrer.example` };
    const asked = await postJson<{ privacyRequestId: string }>(service, "/api/v1/privacy/export", firm.key, person);
    await vi.waitFor(
      async () => {
        const path = `/api/v1/privacy/requests/${asked.privacyRequestId}`;
        const answer = await service.fetch(path, { headers: { "x-api-key": firm.key } });
        expect((await answer.json<{ status: string }>()).status).toBe("Done");
      },
      { timeout: 50_000, interval: 200 },
    );
    return asked.privacyRequestId;
  },
  async companyId(service) {
    return (await createCompany(service)).companyId;
  },
  async accountId(service, firm) {
    return (await account(service, firm)).accountId;
  },
  /** Creates a key with a scope that no other test needs. */
  async "keys.rotate.key"(service, firm) {
    const { keyId } = await postJson<{ keyId: string }>(service, "/api/v1/keys", firm.key, {
      scopes: ["accounts:write"],
    });
    await makeRoom(service, firm, `/api/v1/keys/${keyId}`);
    return keyId;
  },
  async key(service, firm) {
    return (await postJson<{ keyId: string }>(service, "/api/v1/keys", firm.key, { scopes: ["orders:read"] })).keyId;
  },
};

/** Creates an account of the company. */
const account = (service: TestService, { key }: TestCompany) =>
  postJson<{ accountId: string; email: string }>(service, "/api/v1/accounts", key, {
    email: `${randomUUID()}@trans.beispiel.pl`,
    role: "viewer",
  });

/** Classifies a mail, which is the subject of feedback. */
async function classified(service: TestService, { key }: TestCompany): Promise<{ type: string; id: string }> {
  const mail = { subject: "Transport order", text: "Please find our transport order attached." };
  const answer = await postJson<{ classificationId: string }>(service, "/api/v1/classifications/email", key, mail);
  return { type: "Classification", id: answer.classificationId };
}

/** Posts one transaction of a fuel card. */
const handedIn = (service: TestService, { key }: TestCompany, item: object) =>
  postJson<{ feedId: string }>(service, "/api/v1/transactions-feed", key, { provider: "Beispielkarte", items: [item] });

/** The plates of created vehicles, by company. Each promise is resolved when the vehicle exists. */
const plates = new Map<string, Promise<string>>();

/** Creates a vehicle, if the company has none, and returns its plate. A fine for it without a time needs a review. */
async function plateOf(service: TestService, { companyId, key }: TestCompany): Promise<string> {
  const licensePlate = "KRA 99999";
  const made =
    plates.get(companyId) ?? postJson(service, "/api/v1/vehicles", key, { licensePlate }).then(() => licensePlate);
  plates.set(companyId, made);
  return made;
}

/** Posts fines and waits for the result. Returns the id of the automation. */
async function handedInFines(service: TestService, { key }: TestCompany, what: FormData | object): Promise<string> {
  const isForm = what instanceof FormData;
  const answer = await service.fetch("/api/v1/automations/fines", {
    method: "POST",
    body: isForm ? what : JSON.stringify(what),
    headers: {
      authorization: `Bearer ${key}`,
      prefer: "wait=30",
      ...(!isForm && { "content-type": "application/json" }),
    },
  });
  const body = await answer.json<{ automationId: string; automation?: object }>();
  expect(body.automation, JSON.stringify(body)).toBeDefined();
  return body.automationId;
}

/** Posts an invoice, waits until it is extracted, and returns the id of the document. */
async function invoiceOf(service: TestService, { key }: TestCompany): Promise<string> {
  const text = `INVOICE FV/${randomUUID().slice(0, 8)}/2026\nDate: 12.10.2026\n\nSeller: Beispielkarte GmbH\nBuyer: Muster Spedition GmbH\n\nDiesel\nNet 1150.00\nVAT 23 % 264.50\nTotal 1414.50 EUR\n`;
  const json = { type: "Invoices", file: btoa(text) };
  return (await postJson<{ documentId: string }>(service, "/api/v1/documents", key, json, waits)).documentId;
}

interface CollectionAnswer {
  documents: { documentId: string; items: { itemId: string }[] }[];
}

async function collectionOf(service: TestService, firm: TestCompany, { collectionId }: Record<string, string>) {
  const headers = { authorization: `Bearer ${firm.key}` };
  return (await service.fetch(`/api/v1/document-collections/${collectionId}`, { headers })).json<CollectionAnswer>();
}

/** Creates a record for each parameter in the operation's path, and returns their ids. */
export async function createPathParameters(
  { id, area, operation }: NamedOperation,
  service: TestService,
  firm: TestCompany,
): Promise<Record<string, string>> {
  const things: Record<string, string> = {};
  for (const name of pathNames(operation.path)) {
    const make =
      pathParameterMakers[`${id}.${name}`] ?? pathParameterMakers[`${area}.${name}`] ?? pathParameterMakers[name];
    if (!make) throw new Error(`Say in test/http/contract/requests.ts how a ${name} comes to be.`);
    things[name] = await make(service, firm, things);
  }
  return things;
}

export const fillPath = (path: string, things: Record<string, string>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => things[name]!);

/** Makes a request of the company that succeeds. Creates new records for it, unless it only reads. */
export async function goodRequest(named: NamedOperation, service: TestService, firm: TestCompany): Promise<Request> {
  await removeIdleWebhooks(named, service, firm);
  if (isLasting(named)) return reusableRequest(named, service, firm);
  const things = await createPathParameters(named, service, firm);
  for (const [name, list] of Object.entries(limitedLists))
    if (things[name]) await makeRoom(service, firm, `${list}/${things[name]}`);
  return requestFor(named, fillPath(named.operation.path, things), firm, await namedIn(named, service, firm));
}

/** Whether an operation only reads, and no other operation changes its result or deletes its records. */
const isLasting = ({ id, operation: { method, path } }: NamedOperation) =>
  method === "GET" && id !== "opportunities.readCustom" && !pathNames(path).some((name) => name in limitedLists);

/** Shared records, by company and path. */
const standing = new Map<string, ReturnType<typeof thereFor>>();

/** Makes a request about shared records. The operation must only read, or must refuse the request. */
export async function reusableRequest(row: NamedOperation, service: TestService, firm: TestCompany): Promise<Request> {
  const kind = `${firm.companyId} ${row.operation.method} ${row.operation.path}`;
  const there = standing.get(kind) ?? thereFor(row, service, firm);
  standing.set(kind, there);
  const { path, more } = await there;
  return requestFor(row, path, firm, more);
}

const thereFor = async (named: NamedOperation, service: TestService, firm: TestCompany) => ({
  path: fillPath(named.operation.path, await createPathParameters(named, service, firm)),
  more: await namedIn(named, service, firm),
});

/** Creates the records that the body of an operation names, such as a freight. Returns the body fields. */
async function namedIn({ id, operation }: NamedOperation, service: TestService, firm: TestCompany): Promise<object> {
  const body = (operation.example?.body ?? {}) as Record<string, unknown>;
  if (/\/accounts\/(un)?block$/.test(operation.path)) return { email: (await account(service, firm)).email };
  if ("rating" in body)
    return { subject: await classified(service, firm), corrections: [{ path: "/label", value: "Order" }] };
  if (id.startsWith("exchangeRates.")) await ratesAreKnown(service);
  if (id === "transactions.reconcile") return { documentId: await invoiceOf(service, firm) };
  const make = () => pathParameterMakers["freightId"]!(service, firm, {});
  if ("freightId" in body) return { freightId: await make() };
  return "freightIds" in body ? { freightIds: [await make(), await make()] } : {};
}

/** Stores the exchange rates that examples need. */
async function ratesAreKnown(service: TestService): Promise<void> {
  const rates = [{ date: "2026-11-20", base: "EUR", currency: "PLN", rate: 4.2512 }];
  const body = JSON.stringify({ rates });
  const headers = { authorization: `Bearer ${operatorKey}`, "content-type": "application/json" };
  await service.fetch("/api/v1/exchange-rates/ECB", { method: "PUT", headers, body });
}

/** Makes a request about existing records. @param more body fields that replace those of the example */
export function requestFor({ operation }: NamedOperation, path: string, firm: TestCompany, more: object = {}): Request {
  const { method, access, example, takesFile, media } = operation;
  const asks: Record<string, string> =
    access === "public" ? {} : { authorization: `Bearer ${access === "operator" ? operatorKey : firm.key}` };
  const query = new URLSearchParams((example?.query ?? {}) as Record<string, string>).toString();
  const base = { method, path: query ? `${path}?${query}` : path, headers: asks };
  if (takesFile) return { ...base, body: uploadForm(example?.body as Record<string, unknown>) };
  if (media)
    return { ...base, body: new URLSearchParams({ ...(example?.body as Record<string, string>), ...clientOf(firm) }) };
  if (!operation.body) return base;
  return {
    ...base,
    headers: { ...asks, "content-type": "application/json" },
    body: JSON.stringify({ ...fresh(example?.body), ...more }),
  };
}

/** Gives a body unique numbers and dates in the future. */
const fresh = (body: object | undefined) =>
  body && {
    ...body,
    ...("orderNumber" in body && { orderNumber: randomUUID() }),
    ...("role" in body && "email" in body && { email: `${randomUUID()}@trans.beispiel.pl` }),
    ...("sources" in body &&
      "locations" in body && { externalNumber: randomUUID(), locations: stops(), payment: growing() }),
  };

/** Makes a form with a unique text and the given fields. */
export function uploadForm(fields: Record<string, unknown> = {}, text = `Transport order ${randomUUID()}`): FormData {
  const form = new FormData();
  form.set("file", new File([text], "order.txt"));
  for (const [name, value] of Object.entries(fields))
    form.set(name, typeof value === "string" ? value : JSON.stringify(value));
  return form;
}

const clientOf = ({ keyId, key }: TestCompany) => ({ client_id: keyId, client_secret: key.slice(keyId.length + 1) });

export const send = (service: TestService, { path, ...init }: Request): Promise<Response> =>
  service.fetch(path, { ...init, redirect: "manual" });
