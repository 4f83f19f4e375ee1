import { commands as accountCommands } from "../accounts/commands.ts";
import { commands as companyCommands } from "../companies/commands.ts";
import type { Actor } from "../../platform/audit.ts";
import type { Env } from "../../platform/env.ts";
import { fileResponse } from "../../http/file-response.ts";
import type { UploadedFile } from "../../platform/files.ts";
import { newId } from "../../platform/ids.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { Problem } from "../../platform/problem.ts";
import { takePaper } from "./upload-document.ts";
import { readToken, type ShareToken } from "./link.ts";
import type { CarrierOrder } from "./order.ts";
import { carriersPapers, isLive, papersOfLink, viewOfPaper, type Paper } from "./papers.ts";
import { zoneOfStop, type CarrierOrderStatus, type DocumentType, type OrderDocumentView, type Stop } from "./shapes.ts";
import { commands } from "./commands.ts";

/** What a carrier sees of its order: nothing that is only the company's affair. */
export interface SharedOrder {
  /** Who gave the order. */
  company: string;
  carrier?: string;
  orderNumber: string;
  status: CarrierOrderStatus;
  /** In the order of the route, times as instants. */
  stops: (Omit<Stop, "position" | "sequence"> & { timeZone?: string })[];
  /** One for each required type, and for each other type of which the carrier handed in something. */
  papers: SharedPaper[];
  /** What the carrier handed in under this link, in the order it came. */
  documents: OrderDocumentView[];
}

export interface SharedPaper {
  type: DocumentType;
  required: boolean;
  state: "Missing" | "Uploaded" | "Accepted" | "Rejected";
  /** Why the newest one was rejected. */
  reason?: string;
}

/** What the link leads to: undefined when it is none, or no longer good. */
export async function sharedOrder(env: Env, token: string): Promise<SharedOrder | "Cancelled" | undefined> {
  const link = readToken(token);
  if (!link) return undefined;
  const { company } = link;
  try {
    const order = await opened(env, link);
    if (order.status === "Cancelled") return "Cancelled";
    const { reply: facts } = await executeCommand(env, companyCommands.facts, { company, id: company }, {});
    return viewOf(order, facts.name);
  } catch (error) {
    if (error instanceof Problem && error.reason === "not_found") return undefined;
    throw error;
  }
}

/**
 * Takes a paper that comes by the link. The same bytes of the same type again are the paper that is there.
 * @throws Problem `not_found` for a dead link, `invalid_state` when the order takes no more papers
 */
export async function handIn(
  env: Env,
  token: string,
  file: UploadedFile,
  said: { documentType: DocumentType; comment?: string },
): Promise<{ document: OrderDocumentView; known: boolean }> {
  const link = linkOf(token);
  const { digest, company, id } = named(link);
  await opened(env, link);
  const by: Actor = { type: "Link", operation: "carrierOrders.handIn" };
  const { documentType: type, comment } = said;
  const paper = { documentId: newId(), type, ...(comment && { comment }), uploadedBy: "Carrier" as const, digest };
  const { reply, status } = await takePaper(env, { company, orderId: id }, file, paper, {
    execute: (step, orderId, ask) => executeCommand(env, step, { company, id: orderId, by }, ask),
    send: async (step, orderId, ask) => (await executeCommand(env, step, { company, id: orderId }, ask)).reply,
  });
  return { document: reply, known: status === 200 };
}

/** @throws Problem `not_found` for a dead link, or a paper that did not come by it */
export async function sharedFile(env: Env, token: string, documentId: string, request: Request): Promise<Response> {
  const link = linkOf(token);
  const { digest, company, id } = named(link);
  await opened(env, link);
  const { reply: file } = await executeCommand(env, commands.paper, { company, id }, { documentId, digest });
  return fileResponse(env.FILES, file, request);
}

/** The order the link leads to, unless whoever made it is blocked or the company suspended. @throws Problem `not_found` */
async function opened(env: Env, link: ShareToken): Promise<CarrierOrder> {
  const { digest, ...call } = named(link);
  const { reply: order } = await executeCommand(env, commands.shared, call, { digest });
  const { accountId } = order;
  const { reply } = await executeCommand(env, accountCommands.standing, { ...call, id: call.company }, { accountId });
  if (reply.isBlocked) throw new Problem("not_found");
  return order;
}

const named = ({ company, orderId, digest }: ShareToken) => ({ company, id: orderId, digest });

function linkOf(token: string): ShareToken {
  const link = readToken(token);
  if (!link) throw new Problem("not_found");
  return link;
}

function viewOf(state: CarrierOrder, company: string): SharedOrder {
  const { carrier, orderNumber, locations = [], requiredDocumentTypes } = state.given;
  const [all, own] = [papersOfLink(state), carriersPapers(state)];
  const others = own.map(({ type }) => type).filter((type) => !requiredDocumentTypes.includes(type));
  return {
    company,
    ...(carrier.name && { carrier: carrier.name }),
    orderNumber,
    status: state.status,
    stops: locations.map((stop) => {
      const { position: _, sequence: __, ...seen } = stop;
      const timeZone = zoneOfStop(stop);
      return { ...seen, ...(timeZone && { timeZone }) };
    }),
    papers: [...requiredDocumentTypes, ...new Set(others)].map((type) => ({
      type,
      required: requiredDocumentTypes.includes(type),
      ...stateOf(all.findLast((paper) => paper.type === type && isLive(paper))),
    })),
    documents: own.map(viewOfPaper),
  };
}

function stateOf(newest: Paper | undefined): Pick<SharedPaper, "state" | "reason"> {
  if (!newest || newest.status === "Superseded") return { state: "Missing" };
  const reason = newest.status === "Rejected" ? newest.reason : undefined;
  return { state: newest.status, ...(reason && { reason }) };
}
