import { commands as accountCommands } from "../accounts/commands.ts";
import { commands as companyCommands } from "../companies/commands.ts";
import type { Actor } from "../../platform/audit.ts";
import type { Env } from "../../platform/env.ts";
import { fileResponse } from "../../http/file-response.ts";
import type { UploadedFile } from "../../platform/files.ts";
import { newId } from "../../platform/ids.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { Problem } from "../../platform/problem.ts";
import { readToken, type ShareToken } from "./link.ts";
import { commands } from "./commands.ts";
import {
  documentsByCarrier,
  documentsOfLink,
  isCurrent,
  viewOfDocument,
  type DocumentType,
  type OrderDocumentView,
  type UploadedDocument,
} from "./documents.ts";
import { zoneOfStop, type Stop } from "./input.ts";
import type { CarrierOrder, CarrierOrderStatus } from "./model.ts";
import { uploadDocument } from "./upload-document.ts";

/** The view of an order for its carrier, without internal data of the company. */
export interface SharedOrder {
  /** Name of the company that gave the order. */
  company: string;
  carrier?: string;
  orderNumber: string;
  status: CarrierOrderStatus;
  /** In the order of the route. Times are ISO 8601 with offset. */
  stops: (Omit<Stop, "position" | "sequence"> & { timeZone?: string })[];
  /** The required types, and other types of which the carrier uploaded a document. */
  documentTypes: SharedDocumentType[];
  /** Documents that the carrier uploaded with this link, oldest first. */
  documents: OrderDocumentView[];
}

export interface SharedDocumentType {
  type: DocumentType;
  required: boolean;
  state: "Missing" | "Uploaded" | "Accepted" | "Rejected";
  /** Why the newest document of the type was rejected. */
  reason?: string;
}

/** Reads the order of a link. Returns undefined if the link is invalid or disabled. */
export async function sharedOrder(env: Env, token: string): Promise<SharedOrder | "Cancelled" | undefined> {
  const link = readToken(token);
  if (!link) return undefined;
  const { company } = link;
  try {
    const order = await openLink(env, link);
    if (order.status === "Cancelled") return "Cancelled";
    const { reply: facts } = await executeCommand(env, companyCommands.facts, { company, id: company }, {});
    return sharedView(order, facts.name);
  } catch (error) {
    if (error instanceof Problem && error.reason === "not_found") return undefined;
    throw error;
  }
}

/**
 * Uploads a document by link. If the same bytes were uploaded with the same type before, returns the existing document.
 * @throws Problem `not_found` for an invalid link, `invalid_state` when the order accepts no more documents
 */
export async function uploadByLink(
  env: Env,
  token: string,
  file: UploadedFile,
  { documentType: type, comment }: { documentType: DocumentType; comment?: string },
): Promise<{ document: OrderDocumentView; known: boolean }> {
  const link = parseLink(token);
  const { digest, company, id } = addressOf(link);
  await openLink(env, link);
  // The audit log stores this name, so it must not change.
  const by: Actor = { type: "Link", operation: "carrierOrders.handIn" };
  const document = { documentId: newId(), type, ...(comment && { comment }), uploadedBy: "Carrier" as const, digest };
  const { reply, status } = await uploadDocument(env, { company, orderId: id }, file, document, {
    execute: (command, orderId, input) => executeCommand(env, command, { company, id: orderId, by }, input),
    send: async (command, orderId, input) =>
      (await executeCommand(env, command, { company, id: orderId }, input)).reply,
  });
  return { document: reply, known: status === 200 };
}

/**
 * Returns the file of a document.
 * @throws Problem `not_found` for an invalid link, or a document that was not uploaded with it
 */
export async function sharedFile(env: Env, token: string, documentId: string, request: Request): Promise<Response> {
  const link = parseLink(token);
  const { digest, company, id } = addressOf(link);
  await openLink(env, link);
  const { reply: file } = await executeCommand(env, commands.paper, { company, id }, { documentId, digest });
  return fileResponse(env.FILES, file, request);
}

/**
 * Reads the order of a link.
 * @throws Problem `not_found`, also if the account that created the order is blocked or the company is suspended
 */
async function openLink(env: Env, link: ShareToken): Promise<CarrierOrder> {
  const { digest, ...call } = addressOf(link);
  const { reply: order } = await executeCommand(env, commands.shared, call, { digest });
  const { accountId } = order;
  const { reply } = await executeCommand(env, accountCommands.standing, { ...call, id: call.company }, { accountId });
  if (reply.isBlocked) throw new Problem("not_found");
  return order;
}

const addressOf = ({ company, orderId, digest }: ShareToken) => ({ company, id: orderId, digest });

function parseLink(token: string): ShareToken {
  const link = readToken(token);
  if (!link) throw new Problem("not_found");
  return link;
}

function sharedView(state: CarrierOrder, company: string): SharedOrder {
  const { carrier, orderNumber, locations = [], requiredDocumentTypes } = state.given;
  const [all, own] = [documentsOfLink(state), documentsByCarrier(state)];
  const others = own.map(({ type }) => type).filter((type) => !requiredDocumentTypes.includes(type));
  return {
    company,
    ...(carrier.name && { carrier: carrier.name }),
    orderNumber,
    status: state.status,
    stops: locations.map((stop) => {
      const { position: _, sequence: __, ...shown } = stop;
      const timeZone = zoneOfStop(stop);
      return { ...shown, ...(timeZone && { timeZone }) };
    }),
    documentTypes: [...requiredDocumentTypes, ...new Set(others)].map((type) => ({
      type,
      required: requiredDocumentTypes.includes(type),
      ...stateOf(all.findLast((document) => document.type === type && isCurrent(document))),
    })),
    documents: own.map(viewOfDocument),
  };
}

function stateOf(newest: UploadedDocument | undefined): Pick<SharedDocumentType, "state" | "reason"> {
  if (!newest || newest.status === "Superseded") return { state: "Missing" };
  const reason = newest.status === "Rejected" ? newest.reason : undefined;
  return { state: newest.status, ...(reason && { reason }) };
}
