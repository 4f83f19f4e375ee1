import { instantOf, localTimeIn, zoneOf } from "../../domain/places/zones.ts";

/** Numbers of days before the expiry at which reminders are sent. */
export const reminders = [60, 30, 14, 7, 1] as const;
/** Value of `days` in the reminder that is sent on expiry. */
export const expired = -1;
const soon = reminders[0];

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** The last valid date of a document, and the country whose time zone applies to it. */
export interface Validity {
  expiresAt?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  issuingCountry?: string | undefined;
}

const isDate = (date: string): boolean => !Number.isNaN(Date.parse(date));

/**
 * Returns the number of days from today until the expiry; negative after the expiry.
 * @param at ISO 8601, UTC
 */
export function daysLeft({ expiresAt, issuingCountry }: Validity, at: string): number | undefined {
  if (!expiresAt || !isDate(expiresAt)) return undefined;
  const today = localTimeIn(at, zoneAt(issuingCountry)).slice(0, 10);
  return Math.round((Date.parse(expiresAt) - Date.parse(today)) / dayMilliseconds);
}

export function validityStatus(validity: Validity, at: string): "Valid" | "ExpiringSoon" | "Expired" {
  const left = daysLeft(validity, at);
  if (left === undefined || left > soon) return "Valid";
  return left < 0 ? "Expired" : "ExpiringSoon";
}

/**
 * Returns the next reminder. `days`: days before the expiry, or `expired`. `due`: milliseconds since 1970. If several
 * reminders are due, only the last one is sent.
 * @param sent `days` of the last reminder that was sent
 */
export function nextReminder(
  validity: Validity,
  sent: number | undefined,
  at: string,
): { days: number; due: number } | undefined {
  if (!validity.expiresAt || !isDate(validity.expiresAt)) return undefined;
  const left = [...reminders, expired].filter((days) => sent === undefined || days < sent);
  const all = left.map((days) => ({ days, due: dueAt(validity, days) }));
  return all.findLast(({ due }) => due <= Date.parse(at)) ?? all[0];
}

function dueAt({ expiresAt, issuingCountry }: Validity, days: number): number {
  const day = new Date(Date.parse(expiresAt!) - days * dayMilliseconds).toISOString().slice(0, 10);
  return Date.parse(instantOf(day, zoneAt(issuingCountry)));
}

const zoneAt = (countryCode: string | undefined) => zoneOf({ countryCode }) ?? "UTC";
