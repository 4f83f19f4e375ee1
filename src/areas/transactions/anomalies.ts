import { distanceKm } from "../../domain/places/cells.ts";
import { fuelOf, isLitre, type Fuel } from "../../extraction/statements/index.ts";
import { isFuelPurchase, type Anomaly, type AnomalyType, type Entry, type Transaction } from "./model.ts";

/** The data of a vehicle that the checks need. `tankCapacity` is in litres. */
export interface FleetVehicle {
  vehicleId: string;
  licensePlate?: string;
  tankCapacity?: number;
  fuelType?: Fuel;
  assignments: { name: string; from: string; to?: string }[];
}

/** The data against which a transaction is checked. */
export interface AnomalyContext {
  byPlate?: FleetVehicle;
  byCard?: FleetVehicle;
  byVin?: FleetVehicle;
  /** Transactions of the vehicle before and after this transaction, nearest first. */
  before: readonly Transaction[];
  after: readonly Transaction[];
  /** Median price of the same product in that country and week. */
  median?: number;
  twin?: string;
}

/** Assumed tank capacity of a vehicle whose capacity is unknown, in litres. */
export const defaultTankLitres = 1500;
const tankTolerance = 1.05;
const closeMinutes = 60;
const fastestKmh = 110;
const priceTolerance = 1.12;
const vatToleranceCents = 2;
const minute = 60_000;
const hour = 60 * minute;

const anomaly = (
  type: AnomalyType,
  expected: string | number,
  actual: string | number,
  message: string,
  transactionId?: string,
): Anomaly => ({ type, expected, actual, message, ...(transactionId && { transactionId }) });

/** Returns the vehicle of a transaction. The plate takes precedence over the card, and the card over the VIN. */
export const vehicleIn = ({ byPlate, byCard, byVin }: AnomalyContext): FleetVehicle | undefined =>
  byPlate ?? byCard ?? byVin;

export function anomaliesOf(entry: Entry, about: AnomalyContext): Anomaly[] {
  const checks = [
    unknownPlate,
    cardVehicleMismatch,
    volumeExceedsTank,
    fuelTypeMismatch,
    twoFillsTooClose,
    impossibleSpeed,
    odometerBackwards,
    priceOutlier,
    vatInconsistent,
    duplicate,
  ];
  return checks.flatMap((check) => check(entry, about) ?? []);
}

type Check = (entry: Entry, about: AnomalyContext) => Anomaly | undefined;

const unknownPlate: Check = ({ licensePlate }, { byPlate, byCard, byVin }) => {
  if (!licensePlate || byPlate) return undefined;
  const expected = (byCard ?? byVin)?.licensePlate ?? "A plate of the fleet";
  return anomaly("UnknownPlate", expected, licensePlate, `No vehicle of the fleet has the plate ${licensePlate}.`);
};

const named = (vehicle: FleetVehicle) => vehicle.licensePlate ?? vehicle.vehicleId;

const cardVehicleMismatch: Check = (_, { byPlate, byCard, byVin }) => {
  const vehicle = byPlate ?? byVin;
  const other = [byCard, byVin].find((one) => one && vehicle && one.vehicleId !== vehicle.vehicleId);
  if (!vehicle || !other) return undefined;
  const what = other === byCard ? "card" : "VIN";
  return anomaly(
    "CardVehicleMismatch",
    named(other),
    named(vehicle),
    `The ${what} belongs to ${named(other)}, but ${named(vehicle)} was refuelled.`,
  );
};

function litresOf({ quantity, unit }: Entry): number | undefined {
  return quantity !== undefined && (unit === undefined || isLitre(unit)) ? quantity : undefined;
}

const volumeExceedsTank: Check = (entry, about) => {
  const litres = litresOf(entry);
  const tank = vehicleIn(about)?.tankCapacity ?? defaultTankLitres;
  if (!isFuelPurchase(entry) || litres === undefined || litres <= tank * tankTolerance) return undefined;
  return anomaly("VolumeExceedsTank", tank, litres, `${litres} l exceed the tank of ${tank} l.`);
};

const fuelTypeMismatch: Check = (entry, about) => {
  const { fuel } = entry;
  const vehicle = vehicleIn(about);
  if (!fuel || !isFuelPurchase(entry) || !vehicle) return undefined;
  const expected = vehicle.fuelType ?? usedBefore(about) ?? (fuel === "Petrol" ? "Diesel" : fuel);
  if (expected === fuel) return undefined;
  return anomaly(
    "FuelTypeMismatch",
    expected,
    fuel,
    `The vehicle uses ${expected}, but ${entry.productName ?? fuel} was bought.`,
  );
};

const usedBefore = ({ before }: AnomalyContext): Fuel | undefined =>
  before.find((one) => isFuelPurchase(one) && one.fuel && !has(one, "FuelTypeMismatch"))?.fuel;

const has = ({ anomalies }: Transaction, type: AnomalyType) => anomalies.some((one) => one.type === type);

const at = ({ occurredAt }: Entry) => Date.parse(occurredAt);

const twoFillsTooClose: Check = (entry, { before, after }) => {
  if (!isFuelPurchase(entry) || !entry.timed || !entry.station) return undefined;
  const near = [...before, ...after].find(
    (one) =>
      isFuelPurchase(one) &&
      one.timed &&
      one.station &&
      !isSameStation(one, entry) &&
      Math.abs(at(one) - at(entry)) < closeMinutes * minute,
  );
  if (!near) return undefined;
  const minutes = Math.round(Math.abs(at(near) - at(entry)) / minute);
  return anomaly(
    "TwoFillsTooClose",
    closeMinutes,
    minutes,
    `Filled ${minutes} minutes apart at ${near.station} and ${entry.station}.`,
    near.id,
  );
};

const isSameStation = (one: Entry, other: Entry) => plain(one.station!) === plain(other.station!);
const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

const impossibleSpeed: Check = (entry, { before, after }) => {
  if (!entry.timed) return undefined;
  const fastest = [before, after]
    .flatMap((some) => [
      speedFrom(
        some.find(({ timed, point }) => timed && point),
        (one) => speedByPlace(entry, one),
      ),
      speedFrom(
        some.find(({ timed, odometer }) => timed && odometer),
        (one) => speedByOdometer(entry, one),
      ),
    ])
    .flatMap((one) => one ?? [])
    .sort((a, b) => b.kmh - a.kmh)[0];
  if (!fastest || fastest.kmh <= fastestKmh) return undefined;
  const kmh = Math.round(Math.min(fastest.kmh, 100_000));
  return anomaly(
    "ImpossibleSpeed",
    fastestKmh,
    kmh,
    `From ${placeOf(fastest.one)} to ${placeOf(entry)} the vehicle would have driven at ${kmh} km/h.`,
    fastest.one.id,
  );
};

const speedFrom = (one: Transaction | undefined, speed: (one: Transaction) => number) =>
  one && { one, kmh: speed(one) };

const placeOf = ({ station, city, countryCode }: Entry) => station ?? city ?? countryCode ?? "the other place";
/** At least five minutes are assumed, because clocks may be wrong. */
const hoursBetween = (one: Entry, other: Entry) => Math.max(Math.abs(at(one) - at(other)), 5 * minute) / hour;

function speedByPlace(entry: Entry, other: Entry): number {
  if (!entry.point || !other.point) return 0;
  const km = distanceKm(entry.point, other.point) - entry.point.within - other.point.within;
  return Math.max(0, km) / hoursBetween(entry, other);
}

/** Decreasing odometer readings give 0: another check reports them. */
function speedByOdometer(entry: Entry, other: Entry): number {
  if (!entry.odometer || !other.odometer) return 0;
  const [earlier, later] = at(entry) < at(other) ? [entry, other] : [other, entry];
  return Math.max(0, later.odometer! - earlier.odometer!) / hoursBetween(entry, other);
}

const odometerBackwards: Check = (entry, { before, after }) => {
  const { odometer } = entry;
  if (!odometer) return undefined;
  const last = before.find((one) => one.odometer);
  const next = after.find((one) => one.odometer);
  if (last?.odometer && odometer < last.odometer)
    return anomaly(
      "OdometerBackwards",
      last.odometer,
      odometer,
      `The odometer showed ${last.odometer} km before and shows ${odometer} km now.`,
      last.id,
    );
  if (next?.odometer && odometer > next.odometer)
    return anomaly(
      "OdometerBackwards",
      next.odometer,
      odometer,
      `The odometer shows ${odometer} km, but ${next.odometer} km later.`,
      next.id,
    );
  return undefined;
};

const priceOutlier: Check = (entry, { median }) => {
  const { unitPrice, productName, kind } = entry;
  if (!unitPrice || !median || entry.type !== "Purchase" || unitPrice <= median * priceTolerance) return undefined;
  const above = Math.round((unitPrice / median - 1) * 100);
  return anomaly(
    "PriceOutlier",
    median,
    unitPrice,
    `${productName ?? kind} was ${above} % more expensive than usual in that country and week.`,
  );
};

const vatInconsistent: Check = ({ net, vat, gross }) => {
  if (net === undefined || vat === undefined || gross === undefined) return undefined;
  if (Math.abs(net + vat - gross) <= vatToleranceCents) return undefined;
  return anomaly(
    "VatInconsistent",
    (net + vat) / 100,
    gross / 100,
    `${net / 100} and ${vat / 100} do not add up to ${gross / 100}.`,
  );
};

const duplicate: Check = (_, { twin }) =>
  twin
    ? anomaly(
        "Duplicate",
        "One transaction",
        "Two transactions with the same content",
        "Another transaction has the same card, time, product and amount.",
        twin,
      )
    : undefined;

/** Returns the fuel that was bought; undefined for other products. */
export const fuelIn = ({ kind, productName }: Pick<Entry, "kind" | "productName">): Fuel | undefined =>
  kind === "Fuel" && productName ? fuelOf(productName) : undefined;
