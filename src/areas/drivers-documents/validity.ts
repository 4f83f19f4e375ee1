import { instantOf, shownAt, zoneOf } from "../../domain/places/zones.ts";

/** So many days before a document expires somebody is told. */
export const reminders = [60, 30, 14, 7, 1] as const;
/** Told once it has expired. */
export const over = -1;
const soon = reminders[0];

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** Until when a document is valid, and by whose calendar. */
export interface Validity {
  /** A date; the document is valid on it. */
  expiresAt?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  issuingCountry?: string | undefined;
}

/** Whether the calendar has it: a document expires on no other, and nothing falls due. */
const isDay = (date: string): boolean => !Number.isNaN(Date.parse(date));

/** Days from today until it expires, below zero after that. @param at ISO 8601, UTC */
export function daysLeft({ expiresAt, issuingCountry }: Validity, at: string): number | undefined {
  if (!expiresAt || !isDay(expiresAt)) return undefined;
  const today = shownAt(at, zoneAt(issuingCountry)).slice(0, 10);
  return Math.round((Date.parse(expiresAt) - Date.parse(today)) / dayMilliseconds);
}

export function standing(validity: Validity, at: string): "Valid" | "ExpiringSoon" | "Expired" {
  const left = daysLeft(validity, at);
  if (left === undefined || left > soon) return "Valid";
  return left < 0 ? "Expired" : "ExpiringSoon";
}

/**
 * What is to be told next: so many days before it expires, or that it has; and when, in milliseconds since 1970. Of several
 * that are due only the last counts.
 * @param told the last of them that was told
 */
export function nextReminder(
  validity: Validity,
  told: number | undefined,
  at: string,
): { days: number; due: number } | undefined {
  if (!validity.expiresAt || !isDay(validity.expiresAt)) return undefined;
  const left = [...reminders, over].filter((days) => told === undefined || days < told);
  const all = left.map((days) => ({ days, due: dueAt(validity, days) }));
  return all.findLast(({ due }) => due <= Date.parse(at)) ?? all[0];
}

/** The first moment of the day that lies so many days before the last one it is valid on. */
function dueAt({ expiresAt, issuingCountry }: Validity, days: number): number {
  const day = new Date(Date.parse(expiresAt!) - days * dayMilliseconds).toISOString().slice(0, 10);
  return Date.parse(instantOf(day, zoneAt(issuingCountry)));
}

const zoneAt = (countryCode: string | undefined) => zoneOf({ countryCode }) ?? "UTC";
