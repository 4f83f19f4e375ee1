import type { Unit } from "../../../entities/entity.ts";
import type { Candidate, Sort } from "./candidates.ts";
import type { Scope } from "./groups.ts";

/** A field that the labeller fills, and the candidates that it considers. */
export interface Field {
  name: string;
  scope: Scope;
  sorts: readonly Sort[];
  /** Of numbers: the units, besides none. */
  units?: readonly Unit[];
}

const field = (scope: Scope, name: string, sorts: readonly Sort[], units?: readonly Unit[]): Field => ({
  name: `${scope} ${name}`,
  scope,
  sorts,
  ...(units && { units }),
});

const party = (scope: "customer" | "carrier"): Field[] => [
  field(scope, "name", ["Words"]),
  field(scope, "street", ["Words"]),
  field(scope, "place", ["Place"]),
  field(scope, "vatCode", ["Vat"]),
  field(scope, "contact", ["Words"]),
  field(scope, "phone", ["Phone"]),
  field(scope, "email", ["Email"]),
];

export const fields: readonly Field[] = [
  field("stop", "day", ["Day"]),
  field("stop", "lastDay", ["Day"]),
  field("stop", "startHour", ["Hour"]),
  field("stop", "endHour", ["Hour"]),
  field("stop", "reference", ["Code"]),
  field("stop", "name", ["Words"]),
  field("stop", "street", ["Words"]),
  field("stop", "place", ["Place"]),
  field("stop", "weight", ["Number"], ["kg", "t", "lb"]),
  field("stop", "pallets", ["Number"], ["pallets", "pieces"]),
  field("stop", "quantity", ["Number"], ["pieces", "pallets"]),
  field("stop", "ldm", ["Number"], ["ldm", "m"]),
  field("stop", "volume", ["Number"], ["m3"]),
  field("stop", "goods", ["Words"]),
  field("stop", "warmth", ["Warmth"]),
  field("stop", "size", ["Size"]),
  field("order", "orderNumber", ["Code"]),
  field("order", "referenceNumber", ["Code"]),
  field("order", "orderDate", ["Day"]),
  field("order", "price", ["Money", "Number"], []),
  field("order", "paymentDays", ["Number"], ["days"]),
  field("order", "invoiceEmail", ["Email"]),
  field("order", "distance", ["Number"], ["km", "mi"]),
  field("order", "cargoValue", ["Money"]),
  field("order", "truck", ["Plate"]),
  field("order", "trailer", ["Plate"]),
  field("order", "driver", ["Words"]),
  field("order", "driverPhone", ["Phone"]),
  ...party("customer"),
  ...party("carrier"),
];

/** Whether a candidate may be the value of a field. */
export const suits = ({ sorts, units }: Field, { sort, unit }: Candidate): boolean =>
  sorts.includes(sort) && (sort !== "Number" || unit === undefined || (units?.includes(unit) ?? false));

/** The fields of the draft that hold a field of the labeller. */
export const holders: Record<string, string> = {
  "stop day": "/startDate",
  "stop lastDay": "/endDate",
  "stop startHour": "/startDate",
  "stop endHour": "/endDate",
  "stop reference": "/refrenceNumbers",
  "stop name": "/name",
  "stop street": "/street",
  "stop place": "/city",
  "stop weight": "/cargo/weight",
  "stop pallets": "/cargo/pallets",
  "stop quantity": "/cargo/quantity",
  "stop ldm": "/cargo/ldm",
  "stop volume": "/cargo/volume",
  "stop goods": "/cargo/cargoType",
  "stop warmth": "/cargo/temeratureFrom",
  "stop size": "/cargo/length",
  "order orderNumber": "/orderNumber",
  "order referenceNumber": "/referenceNumber",
  "order orderDate": "/orderDate",
  "order price": "/payments/price",
  "order paymentDays": "/payments/paymentDays",
  "order invoiceEmail": "/invoiceEmail",
  "order distance": "/distance",
  "order cargoValue": "/cargoValue/value",
  "order truck": "/vehiclesLicensePlates",
  "order trailer": "/trailersLicensePlates",
  "order driver": "/carrier/drivers/name",
  "order driverPhone": "/carrier/drivers/phone",
};
for (const scope of ["customer", "carrier"])
  Object.assign(holders, {
    [`${scope} name`]: "/name",
    [`${scope} street`]: "/street",
    [`${scope} place`]: "/city",
    [`${scope} vatCode`]: "/vatCode",
    [`${scope} contact`]: "/contactPerson/name",
    [`${scope} phone`]: "/contactPerson/phone",
    [`${scope} email`]: "/contactPerson/email",
  });
