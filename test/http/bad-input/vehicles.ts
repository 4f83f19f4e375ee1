import { vehicle } from "../../support/vehicles.ts";
import { field, half, type Refused } from "./row.ts";

type Change = Record<string, unknown>;

const address = { countryCode: "DE", city: "Leipzig" };
const loading = (more: object) => ({ loading: { address, ...more } });
const period = (startDate: unknown, endDate?: unknown) => loading({ period: { startDate, endDate } });
const at = (more: object) => loading({ address: { ...address, ...more } });
const coordinates = (given: unknown) => at({ coordinates: given });
const requirements = (more: object) => ({ requirements: more });
const assigned = (from: unknown, to?: unknown, driver: unknown = { name: "Jan" }) => ({
  assignments: [{ driver, from, to }],
});

const wrong: [what: string, pointer: string, change: Change][] = [
  ["without any field", "/loading", { loading: null, licensePlate: "" }],
  ["with an owner that is not a mail address", "/owner", { owner: "the boss" }],
  ["with a source that is not a number", "/sources/0", { sources: ["one"] }],
  ["with the source 0", "/sources/0", { sources: [0] }],
  ["with sources that are not a list", "/sources", { sources: "1" }],
  ["with a trailer of an unknown type", "/requirements/trailerType", requirements({ trailerType: 9 })],
  ["with a trailer named in words", "/requirements/trailerType", requirements({ trailerType: "Tent" })],
  ["with a vehicle of an unknown type", "/requirements/vehicleType", requirements({ vehicleType: 6 })],
  ["with a capacity below zero", "/requirements/capacity", requirements({ capacity: -1 })],
  ["with a capacity in words", "/requirements/capacity", requirements({ capacity: "24 t" })],
  ["with a capacity above the limit", "/requirements/capacity", requirements({ capacity: 10_001 })],
  ["with loading metres below zero", "/requirements/ldm", requirements({ ldm: -0.1 })],
  ["with pallets in words", "/requirements/pallets", requirements({ pallets: "many" })],
  ["with a word instead of a boolean", "/requirements/interestedInLtl", requirements({ interestedInLtl: "yes" })],
  ["with an unknown capability", "/requirements/capabilities/1", requirements({ capabilities: ["adr", "flies"] })],
  ["with a capability that is not a number", "/requirements/capabilities/0", requirements({ capabilities: [9] })],
  ["with requirements that are a list", "/requirements", { requirements: [] }],
  ["without a place", "/loading/address", { loading: { period: { startDate: "2027-03-24" } } }],
  ["without a country", "/loading/address/countryCode", at({ countryCode: undefined })],
  ["with an unknown country", "/loading/address/countryCode", at({ countryCode: "XX" })],
  ["with a town of 201 letters", "/loading/address/city", at({ city: "L".repeat(201) })],
  ["with an unpaired surrogate in its town", "/loading/address/city", at({ city: half })],
  ["without a latitude", "/loading/address/coordinates/latitude", coordinates({ longitude: 12 })],
  [
    "with a latitude beyond the pole",
    "/loading/address/coordinates/latitude",
    coordinates({ latitude: 91, longitude: 12 }),
  ],
  [
    "with two latitudes",
    "/loading/address/coordinates/latitude",
    coordinates({ latitude: 51, lattitude: 52, longitude: 12 }),
  ],
  [
    "with a longitude in words",
    "/loading/address/coordinates/longitude",
    coordinates({ latitude: 51, longitude: "east" }),
  ],
  ["without a start", "/loading/period/startDate", period(undefined, "2027-03-25")],
  ["with a start that is not a date", "/loading/period/startDate", period("tomorrow")],
  ["with an invalid date", "/loading/period/startDate", period("2027-02-29")],
  ["with an end before its start", "/loading/period/endDate", period("2027-03-24T07:00", "2027-03-24T06:59")],
  ["with an end a day before", "/loading/period/endDate", period("2027-03-24", "2027-03-23")],
  [
    "with an end before its start, considering the offsets",
    "/loading/period/endDate",
    period("2027-03-24T07:00Z", "2027-03-24T07:30+01:00"),
  ],
  ["with a start before the supported years", "/loading/period/startDate", period("0000-01-01T00:00+14:00")],
  ["with unloadings that are a string", "/unloading/address", { unloading: { address: "anywhere" } }],
  [
    "with an unloading without a country",
    "/unloading/address/1/countryCode",
    { unloading: { address: [address, { city: "Brno" }] } },
  ],
  ["with 51 unloadings", "/unloading/address", { unloading: { address: Array.from({ length: 51 }, () => address) } }],
  ["with a range below zero", "/range", { range: -1 }],
  ["with a range around the world", "/range", { range: 1001 }],
  ["with comments of 10,001 letters", "/comments", { comments: "c".repeat(10_001) }],
  ["with a null byte in its comments", "/comments", { comments: "a\0b" }],
  ["with a plate of one character", "/licensePlate", { licensePlate: "A -" }],
  ["with a plate of sixteen characters", "/licensePlate", { licensePlate: "A".repeat(16) }],
  ["with a plate that is a number", "/licensePlate", { licensePlate: 12345 }],
  ["with an unknown country of registration", "/countryCode", { countryCode: "Polska" }],
  ["with a VIN of 16 characters", "/vin", { vin: "WDB9634031012345" }],
  ["with the letter O in its VIN", "/vin", { vin: "WDB9634O310123456" }],
  ["with a tank below zero", "/tankCapacity", { tankCapacity: -1 }],
  ["with a card without a provider", "/cards/0/provider", { cards: [{ provider: " ", number: "12345" }] }],
  ["with a card without a number", "/cards/0/number", { cards: [{ provider: "DKV" }] }],
  ["with a card of four characters", "/cards/0/number", { cards: [{ provider: "DKV", number: "1-2-3-4" }] }],
  ["with a card of 31 characters", "/cards/0/number", { cards: [{ provider: "DKV", number: "1".repeat(31) }] }],
  ["with the last three characters of a card", "/cards/0/last4", { cards: [{ provider: "DKV", last4: "901" }] }],
  [
    "with the last four characters of an unknown card",
    "/cards/0/number",
    { cards: [{ provider: "DKV", last4: "9012" }] },
  ],
  ["with 21 cards", "/cards", { cards: Array.from({ length: 21 }, () => ({ provider: "DKV", number: "12345" })) }],
  ["with an assignment without a driver", "/assignments/0/driver/name", assigned("2027-03-01", undefined, {})],
  [
    "with a driver whose mail address is invalid",
    "/assignments/0/driver/email",
    assigned("2027-03-01", undefined, { name: "J", email: "j" }),
  ],
  ["with an assignment without a start", "/assignments/0/from", assigned(undefined)],
  ["with an assignment whose start is not a date", "/assignments/0/from", assigned("2027-13-01")],
  ["with an assignment that ends before it starts", "/assignments/0/to", assigned("2027-03-02", "2027-03-01")],
  [
    "with 201 drivers",
    "/assignments",
    { assignments: Array.from({ length: 201 }, () => assigned("2027-03-01").assignments[0]) },
  ],
  ["with metadata that is not a string", "/metadata/internalId", { metadata: { internalId: 17 } }],
];

export const vehicleRows: Refused[] = wrong.map(([what, pointer, change]) => ({
  what,
  method: "POST",
  path: "/api/v1/vehicles",
  json: vehicle(change),
  ...field(pointer),
}));
