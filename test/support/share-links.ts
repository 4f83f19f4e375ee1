import { apiClient, type ApiClient } from "./api-client.ts";
import { createCarrierOrder } from "./carriers.ts";
import type { TestService } from "./service.ts";

/** An order and its share link. */
export interface Link {
  orderId: string;
  /** Path of the page: `/share/` followed by the token. */
  path: string;
  token: string;
}

/** The response to the upload script of the page. */
export interface UploadReply {
  documents: { documentId: string; type: string; fileName: string; status: string; known: boolean }[];
}

/** The headers that the page's script sends. */
export const json = { accept: "application/json" };

/** Creates an order and returns its share link. */
export async function shareOrder(ask: ApiClient, more: Record<string, unknown> = {}): Promise<Link> {
  const { orderId, shareUrl } = await createCarrierOrder(ask, more);
  const { pathname } = new URL(shareUrl);
  return { orderId, path: pathname, token: pathname.split("/")[2]! };
}

interface Paper {
  name: string;
  bytes: string | Uint8Array<ArrayBuffer>;
}

/** Makes a text file whose name and content contain the given text. */
export const note = (text: string): Paper => ({ name: `${text}.txt`, bytes: `CMR note ${text}` });

/** Fills in the upload form of the page. */
export function uploadFormOf(papers: Paper[], fields: Record<string, string> = { documentType: "cmr" }): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const { name, bytes } of papers) form.append("file", new File([bytes], name));
  return form;
}

/** Returns functions that send requests as a visitor who only has the link. */
export function guestOf(service: Pick<TestService, "fetch">) {
  const ask = apiClient(service);
  const visit = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    ask<string>(method, path, { headers });
  const send = <Body = string>(path: string, form: FormData, headers: Record<string, string> = {}) =>
    ask<Body>("POST", path, { body: form, headers });
  const handInOne = async (path: string, paper: Paper, type = "cmr") =>
    (await send<UploadReply>(path, uploadFormOf([paper], { documentType: type }), json)).body.documents[0]!;
  return { visit, send, handInOne };
}
