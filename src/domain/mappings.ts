/** Tables of numbers and their codes. Numbers are never reused, and clients must tolerate new ones. */

/** Types of trailers. Orders contain the number as text, freights as an integer. */
export const trailerTypes: Readonly<Record<number, string>> = {
  1: "Tent",
  2: "Refrigerator",
  3: "Tautliner (Curtainsider)",
  4: "Box",
  5: "Isotherm",
  6: "Mega",
  7: "Jumbo",
  8: "Van",
  10: "Any",
  11: "Platform",
  12: "Road Train 120 m3",
  13: "Tanker",
  14: "Walking Floor",
  15: "CoilMulde",
  16: "Dump Truck (Tipper)",
  17: "Car Transporter",
  18: "Joloda",
  19: "Low Loader",
  50: "Standard",
  51: "Paperliner",
  52: "Shotgun WithMultiLog",
};

export const vehicleTypes: Readonly<Record<number, string>> = {
  1: "SemiTrailer",
  2: "12t Solo",
  3: "7.5t Solo",
  4: "Van/Bus",
  5: "Double Trailer",
};

/** Capabilities that a freight may require of its carrier. */
export const capabilities: Readonly<Record<number, string>> = {
  1: "ADR",
  2: "Double Deck",
  3: "CodeXL",
  4: "Lift (TailLift)",
  5: "ForkLift",
  6: "Two Drivers",
  7: "GPS",
  8: "Multi temperature refrigerator",
  10: "Crane on truck (HDS)",
  11: "Round Trip",
  12: "Pallet Lifter",
  13: "Waste Certificate (A plate)",
  14: "Ramp Height",
};

export const loadingSides = ["All", "Back", "Side", "Top"] as const;

/** Modes of a refrigeration unit. */
export const regimes = ["Auto", "Off", "Continuous"] as const;

/** Codes of the capabilities, as used in vehicles. */
export const capabilityCodes: Readonly<Record<number, string>> = {
  1: "adr",
  2: "doubleDeck",
  3: "codeXL",
  4: "lift",
  5: "forklift",
  6: "twoDrivers",
  7: "gps",
  8: "multiTemp",
  10: "crane",
  11: "roundTrip",
  12: "palletLifter",
  13: "wasteCertificate",
  14: "rampHeight",
};

export const automationStatuses: Readonly<Record<number, string>> = {
  0: "Queued",
  1: "Running",
  2: "Success",
  3: "Failed",
  4: "NeedsReview",
  5: "Cancelled",
};
