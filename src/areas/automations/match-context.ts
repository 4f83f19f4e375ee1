import type { Point } from "../../domain/places/cells.ts";
import type { Assignment, Driver } from "./drivers.ts";
import type { Likeness } from "./plates.ts";
import type { Road } from "./orders-on-road.ts";
import type { Candidate, EvidenceStep, FineInput, MatchStatus } from "./shapes.ts";

/** What a fine says. */
export interface Fine extends FineInput {
  /** Where a list says when it was in words that are no day. */
  offenceSaid?: string;
}

/** A vehicle whose plate it may be, and what is known of it around that time. */
export interface Suspect {
  vehicleId: string;
  likeness: Likeness;
  licensePlate: string;
  countryCode?: string | undefined;
  assignments: readonly Assignment[];
  roads: readonly Road[];
  purchases: readonly Purchase[];
}

/** Where and when something was bought with a vehicle's card. */
export interface Purchase {
  transactionId: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Whether the time of day is known. */
  timed: boolean;
  countryCode?: string | undefined;
  point?: (Point & { within: number }) | undefined;
  /** Whom the line names. */
  driverSaid?: string | undefined;
}

/** All that a fine is matched with. */
export interface MatchContext {
  zone: string;
  countryCode?: string | undefined;
  /** Nothing on the fine says where it was: the country is the company's, if that is known. */
  isAssumed?: boolean | undefined;
  /** When it is looked at, in milliseconds since 1970. */
  now?: number | undefined;
  point?: Point | undefined;
  suspects: readonly Suspect[];
  /** How surely plate and time were read. */
  reading?: { confidence: number; documentId: string } | undefined;
}

/** Whose fine it is, as far as that was found. */
export interface Match {
  matchStatus: MatchStatus;
  vehicleId?: string;
  driver?: Driver;
  orderId?: string;
  confidence: number;
  evidence: EvidenceStep[];
  candidates: Candidate[];
}
