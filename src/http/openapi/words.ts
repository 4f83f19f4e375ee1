import type { api } from "../../api.ts";

export const introduction = `Send the transport order you received, as the file it came in, and get it back as data with the evidence for every value.

**Who you are** is said with a key: \`X-Api-Key\`, HTTP Basic, or a bearer token from \`POST /oauth2/token\`. Every record belongs to the company of the key; the id of another company's record answers 404.

**Media type**: every JSON answer is \`application/json; x-api-version=1.0\`. A request may name the version in its media type, in the header \`x-api-version\`, or not at all.

**Errors** are RFC 9457 problems with an \`errorCode\` for programs and, when a body or a query is not valid, an \`errors\` array that names every wrong field. [Every code, and what to do about it](/docs/errors).

**Long work** is answered 202 at once; \`Prefer: wait=N\` holds the answer until the work is done. Or subscribe to a webhook.

**Repeating**: every POST takes an \`Idempotency-Key\`. **Versions**: what is read carries an \`ETag\` for \`If-None-Match\` and \`If-Match\`. Fields and enumeration values may be added; ignore what you do not know.`;

/** A sentence for each area. */
export const areaWords: Record<keyof typeof api, string> = {
  orders: "Transport orders: read from documents, or given to carriers.",
  carrierOrders: "Orders given to carriers, and the papers that come in for them.",
  opportunities: "Requests for quotes: read into the body of a freight, and filled up so that it can be posted.",
  mappingProfiles: "Your own form for what is read.",
  documents: "Invoices, receipts, CMR notes, fines and insurance policies, read from files.",
  documentCollections: "Piles of scans: taken apart into documents, each classified and read.",
  quality: "Scans and photographs: whether they can be read, and what is missing.",
  driversDocuments: "Drivers' licences, cards and certificates, and when they expire.",
  sources: "Where freights are published: the built-in board and your own connectors.",
  classifications: "What a mail is about, what it speaks of, and what to do with its files.",
  feedback:
    "What was read right and what was not: put right, counted, and learnt for the next document of the same sender.",
  transactions: "What was bought with fuel and toll cards: matched with the fleet, looked through and summed up.",
  vehicles: "Vehicles of the fleet: where and when they are free, and who drives them.",
  matches: "Which vehicles fit a freight, and which freights a vehicle.",
  mappings: "The tables behind the numbers that freights and vehicles speak in.",
  exchangeRates: "Reference rates of currencies, and amounts converted by them.",
  freights: "Loads to be carried: published at a price that may grow, until somebody gets them or their time is over.",
  offers: "What carriers would drive a freight for, until one of them gets it.",
  webhooks: "Who hears of what happens.",
  companies: "Your own company.",
  tenants: "All companies of a deployment, for its operator: listed, given keys, suspended and deleted.",
  keys: "Keys, and tokens made from them.",
  accounts: "Who acts for your company, and carriers it wants nothing to do with.",
  audit: "Who has changed what.",
  automations: "Fines: put down to whoever drove, and the order on the road then.",
  mails: "Mails that come in: what they are, what was made of them, and what their senders are answered.",
  privacy: "What your company has of a person: gathered, or erased.",
};
