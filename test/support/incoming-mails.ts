import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { expect, vi } from "vitest";
import { apiClient, type ApiClient } from "./api-client.ts";
import type { Company, TestService } from "./service.ts";

/** How long to wait for the effect of a queue message. */
export const soon = { timeout: 50_000, interval: 100 };

/** A mail in a response. */
export interface Mail {
  mailId: string;
  status: string;
  ignoredBecause?: string;
  label?: string;
  kind?: string;
  routed: { path: string; attachment?: string; id?: string; errorCode?: string; duplicateOf?: string }[];
  notRouted?: { attachment: string; errorCode?: string }[];
  answer?: { status: string };
}

export interface AcceptedMail {
  mailId: string;
  isNew: boolean;
}

interface Attached {
  name: string;
  bytes: Uint8Array | string;
  type?: string;
}

/** Makes an incoming mail as MIME text. */
export function eml(
  said: { subject: string; text: string; from?: string; id?: string; headers?: string[] },
  files: Attached[] = [],
): string {
  const { subject, text, from = "dispo@sender.example", id = `${randomUUID()}@sender.example`, headers = [] } = said;
  const part = (head: string[], body: Uint8Array | string) =>
    ["--mark", ...head, "Content-Transfer-Encoding: base64", "", Buffer.from(body).toString("base64"), ""].join("\r\n");
  return [
    `From: ${from}`,
    "To: orders@trans.example",
    `Subject: ${subject}`,
    ...(id ? [`Message-ID: <${id}>`] : []),
    ...headers,
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="mark"',
    "",
    part(["Content-Type: text/plain; charset=utf-8"], text),
    ...files.map(({ name, bytes, type = "application/octet-stream" }) =>
      part([`Content-Type: ${type}`, `Content-Disposition: attachment; filename="${name}"`], bytes),
    ),
    "--mark--",
    "",
  ].join("\r\n");
}

export const deliverMail = async (service: TestService, { key }: Company, raw: string): Promise<AcceptedMail> => {
  const { status, body } = await apiClient(service, key)<AcceptedMail>("POST", "/dev/mail/in", { body: raw });
  expect(status).toBe(202);
  return body;
};

/** Waits until a mail is routed and meets an expectation. */
export const waitForMail = (ask: ApiClient, mailId: string, what: (mail: Mail) => void): Promise<Mail> =>
  vi.waitFor(async () => {
    const { body } = await ask<Mail>("GET", `/api/v1/mails/${mailId}`);
    expect(body.status).not.toBe("Received");
    what(body);
    return body;
  }, soon);
/** Waits until the automatic reply to the sender is decided. */
export const waitUntilRouted = (ask: ApiClient, mailId: string) =>
  waitForMail(ask, mailId, ({ answer }) => expect(answer).toBeDefined());
