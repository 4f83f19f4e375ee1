import { serialSlot, type Traffic } from "./traffic.ts";
import { freight, orderText, type World } from "./world.ts";

/** One measurement: a request, and the baseline that its figures are compared with. */
export interface Row {
  name: string;
  /** The name of the server in the map of addresses. */
  server: string;
  /** The name of the baseline row that does the same without the product. */
  beside?: string;
  /**
   * Maximum number of requests per round. It limits the work that continues after the responses and delays the next
   * row.
   */
  most?: number;
  ask: (world: World) => Pick<Traffic, "method" | "paths" | "status"> & Partial<Pick<Traffic, "headers" | "bodies">>;
}

const json = { "content-type": "application/json" };
const boundary = "----lorry-bench";

export const rows: Record<string, Row> = {
  constant: {
    name: "a bare Worker returns a constant",
    server: "constant",
    ask: () => ({ method: "GET", paths: ["/"], status: 200 }),
  },
  logged: {
    name: "the same with a log line",
    server: "constant",
    ask: () => ({ method: "GET", paths: ["/logged"], status: 200 }),
  },
  objectRead: {
    name: "a bare object reads a row",
    server: "object",
    ask: ({ orderIds }) => ({ method: "GET", paths: orderIds.map((id) => `/${id}`), status: 200 }),
  },
  objectWrite: {
    name: "a bare object writes a row",
    server: "object",
    ask: ({ company }) => ({ method: "PUT", paths: ["/company"], bodies: [bytesOf(company)], status: 200 }),
  },
  objectFounded: {
    name: "a row in a new bare object",
    server: "object",
    ask: ({ company }) => ({ method: "PUT", paths: [`/${serialSlot}`], bodies: [bytesOf(company)], status: 200 }),
  },
  objectChange: {
    name: "64 bare objects write a row in turn",
    server: "object",
    ask: ({ carrierOrders }) => ({
      method: "PUT",
      paths: carrierOrders.map(({ id }) => `/${id}`),
      bodies: carrierOrders.map(({ body }) => bytesOf(body)),
      status: 200,
    }),
  },
  archiveRead: {
    name: "D1 reads a row by its key",
    server: "archive",
    ask: ({ orderIds }) => ({ method: "GET", paths: orderIds.map((id) => `/rows/${id}`), status: 200 }),
  },
  archiveList: {
    name: "D1 reads 50 rows",
    server: "archive",
    ask: () => ({ method: "GET", paths: ["/rows"], status: 200 }),
  },
  filePut: {
    name: "R2 puts the file",
    server: "files",
    ask: ({ pdf }) => ({ method: "PUT", paths: ["/"], bodies: [pdf], status: 200 }),
  },
  read: {
    name: "`GET /api/v1/orders/{id}`",
    server: "lorry",
    beside: "objectRead",
    ask: ({ orderIds }) => ({ method: "GET", paths: orderIds.map((id) => `/api/v1/orders/${id}`), status: 200 }),
  },
  readAll: {
    name: "`GET /api/v2/orders/{id}`",
    server: "lorry",
    beside: "objectRead",
    ask: ({ orderIds }) => ({ method: "GET", paths: orderIds.map((id) => `/api/v2/orders/${id}`), status: 200 }),
  },
  change: {
    name: "`PUT /api/v1/company`",
    server: "lorry",
    beside: "objectWrite",
    ask: ({ company }) => ({
      method: "PUT",
      paths: ["/api/v1/company"],
      headers: json,
      bodies: [bytesOf(company)],
      status: 200,
    }),
  },
  readCarrierOrder: {
    name: "`GET /api/v1/orders/{id}`, given to a carrier",
    server: "lorry",
    beside: "objectRead",
    ask: ({ carrierOrders }) => ({
      method: "GET",
      paths: carrierOrders.map(({ id }) => `/api/v1/orders/${id}`),
      status: 200,
    }),
  },
  changeCarrierOrder: {
    name: "`PUT /api/v1/orders/{id}`, 64 orders in turn",
    server: "lorry",
    beside: "objectChange",
    ask: ({ carrierOrders }) => ({
      method: "PUT",
      paths: carrierOrders.map(({ id }) => `/api/v1/orders/${id}`),
      headers: json,
      bodies: carrierOrders.map(({ body }) => bytesOf(body)),
      status: 200,
    }),
  },
  query: {
    name: "`POST /api/v1/orders/query`, a page of 50",
    server: "lorry",
    beside: "archiveList",
    ask: () => ({
      method: "POST",
      paths: ["/api/v1/orders/query"],
      headers: json,
      bodies: [bytesOf(JSON.stringify({ limit: 50 }))],
      status: 200,
    }),
  },
  list: {
    name: "`GET /api/v1/orders`, a page of 50",
    server: "lorry",
    beside: "archiveList",
    ask: () => ({ method: "GET", paths: ["/api/v1/orders?limit=50"], status: 200 }),
  },
  postFreight: {
    name: "`POST /api/v1/freights`, published",
    server: "lorry",
    beside: "objectFounded",
    ask: () => ({
      method: "POST",
      paths: ["/api/v1/freights"],
      headers: json,
      bodies: [bytesOf(JSON.stringify({ ...freight("01:00:00"), internalComments: `Trip ${serialSlot}` }))],
      status: 200,
    }),
  },
  postText: {
    name: "`POST /api/v1/orders`, text",
    server: "lorry",
    beside: "objectFounded",
    most: 60,
    ask: () => ({
      method: "POST",
      paths: ["/api/v1/orders"],
      headers: json,
      bodies: [bytesOf(JSON.stringify({ inputText: `${orderText}\n${serialSlot}` }))],
      status: 200,
    }),
  },
  postFile: {
    name: "`POST /api/v1/orders/file`, a PDF",
    server: "lorry",
    beside: "objectFounded",
    most: 60,
    ask: ({ pdf }) => ({ ...upload(pdf), status: 202 }),
  },
  postFileAndWait: {
    name: "the same with `Prefer: wait=30`: response after extraction",
    server: "lorry",
    most: 40,
    ask: ({ pdf }) => {
      const { headers, ...rest } = upload(pdf);
      return { ...rest, headers: { ...headers, prefer: "wait=30" }, status: 200 };
    },
  },
};

function upload(pdf: Uint8Array) {
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
  return { method: "POST" as const, paths: ["/api/v1/orders/file"], headers, bodies: [formOf(pdf)] };
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text);
}

function formOf(pdf: Uint8Array): Uint8Array {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="order.pdf"\r\nContent-Type: application/pdf\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), pdf, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}
