import type { Point } from "../../domain/places/cells.ts";
import type { Assignment, Driver } from "./drivers.ts";
import type { Likeness } from "./plates.ts";
import type { Road } from "./orders-on-road.ts";
import type { Candidate, EvidenceStep, MatchStatus } from "./views.ts";
import type { FineInput } from "./input.ts";

/** The data of a fine. */
export interface Fine extends FineInput {
  /** Time of the offence as written in a list, if it cannot be parsed as a date. */
  offenceSaid?: string;
}

/**
 * A vehicle whose plate may be the one on the fine: with all its drivers, and with its orders and purchases around the
 * time of the offence.
 */
export interface Suspect {
  vehicleId: string;
  likeness: Likeness;
  licensePlate: string;
  countryCode?: string | undefined;
  assignments: readonly Assignment[];
  roads: readonly Road[];
  purchases: readonly Purchase[];
}

/** Place and time of a purchase with a vehicle's card. */
export interface Purchase {
  transactionId: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Whether the time of day is known. */
  timed: boolean;
  countryCode?: string | undefined;
  point?: (Point & { within: number }) | undefined;
  /** Driver named by the transaction. */
  driverSaid?: string | undefined;
}

/** The data with which a fine is matched. */
export interface MatchContext {
  zone: string;
  countryCode?: string | undefined;
  /** Whether the country is assumed, because the fine does not state the location. */
  isAssumed?: boolean | undefined;
  /** Time of the matching, in milliseconds since 1970. */
  now?: number | undefined;
  point?: Point | undefined;
  suspects: readonly Suspect[];
  /** Confidence in the extracted plate and time. */
  reading?: { confidence: number; documentId: string } | undefined;
}

/** The result of matching a fine. */
export interface Match {
  matchStatus: MatchStatus;
  vehicleId?: string;
  driver?: Driver;
  orderId?: string;
  confidence: number;
  evidence: EvidenceStep[];
  candidates: Candidate[];
}
