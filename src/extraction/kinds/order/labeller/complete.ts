import { LabelledValue, type FieldValue } from "../../../fields/confidence/field-value.ts";
import { postalCodeWithoutCountry } from "./values.ts";
import type { OrderDraft, TransportAnalysis } from "../../transport.ts";
import { chancesOf, forestsOf, type Chance } from "./chances.ts";
import { weighed } from "./choice.ts";
import { forestOf, type ForestModel } from "./forest.ts";
import { beginOf, endOf, type Moment, type StopChances, type WindowModel } from "./windows.ts";

/** The labeller: a forest for each field, one that weighs their answers, and the limits of what is added. */
export interface LabellerModel {
  /** Names of the signs, by the numbers that the forests of the fields use. */
  signs: readonly string[];
  fields: Readonly<Record<string, ForestModel>>;
  choice: ForestModel;
  begin: WindowModel;
  end: WindowModel;
  /** For each field, the lowest chance of a value that is added. */
  limits: Readonly<Record<string, number>>;
  /** The lowest chance of a value that replaces another one of the rules. */
  replacing: Readonly<Record<string, number>>;
}

type Stop = NonNullable<OrderDraft["locations"]>[number];
type Cargo = NonNullable<Stop["cargo"]>[number];
type Party = NonNullable<OrderDraft["customer"]>;

/** Adds likely values to the empty fields of an order. */
export type OrderLabeller = (analysis: TransportAnalysis, draft: OrderDraft) => OrderDraft;

export function labellerOf(model: LabellerModel): OrderLabeller {
  const forests = forestsOf(model.signs, model.fields);
  const choice = forestOf(model.choice);
  return (analysis, draft) =>
    new Completion(draft, weighed(chancesOf(analysis, draft, forests), draft, choice), model).completed();
}

const valueFrom = <T>(value: T, { candidate, chance }: Chance): FieldValue<T> =>
  new LabelledValue(value, chance, candidate);
const textOf = (chance: Chance): FieldValue<string> => valueFrom(String(chance.candidate.value), chance);
const numberOf = (chance: Chance): FieldValue<number> => valueFrom(Number(chance.candidate.value), chance);

class Completion {
  private readonly draft: OrderDraft;
  private readonly byOwner: ReadonlyMap<string, readonly Chance[]>;
  private readonly model: LabellerModel;

  constructor(draft: OrderDraft, chances: readonly Chance[], model: LabellerModel) {
    this.draft = draft;
    this.model = model;
    this.byOwner = Map.groupBy(
      chances.toSorted((one, other) => other.chance - one.chance),
      ({ field, group }) => `${field.name}/${group.index}`,
    );
  }

  completed(): OrderDraft {
    const { draft } = this;
    const [customer, carrier] = [this.party("customer"), this.party("carrier")];
    const payments = this.payments();
    const trucks = draft.vehiclesLicensePlates?.length ? [] : this.all("order truck").map(textOf);
    const trailers = draft.trailersLicensePlates?.length ? [] : this.all("order trailer").map(textOf);
    const value = this.one("order cargoValue");
    return {
      ...draft,
      ...this.added(draft, "orderNumber", "order orderNumber", textOf),
      ...this.added(draft, "referenceNumber", "order referenceNumber", textOf),
      ...this.added(draft, "orderDate", "order orderDate", textOf),
      ...this.added(draft, "invoiceEmail", "order invoiceEmail", textOf),
      ...(customer && { customer }),
      ...(carrier && { carrier: this.withDriver(carrier) }),
      ...(payments && { payments }),
      ...(trucks.length > 0 && { vehiclesLicensePlates: trucks }),
      ...(trailers.length > 0 && { trailersLicensePlates: trailers }),
      ...(value && !draft.cargoValue?.value && { cargoValue: { ...draft.cargoValue, value: numberOf(value) } }),
      ...(draft.locations && { locations: draft.locations.map((stop, index) => this.stop(stop, index)) }),
    };
  }

  private ranked(field: string, index = 0): readonly Chance[] {
    return this.byOwner.get(`${field}/${index}`) ?? [];
  }

  private limit(field: string, known?: unknown): number {
    return (known === undefined ? this.model.limits : this.model.replacing)[field] ?? Number.POSITIVE_INFINITY;
  }

  private one(field: string, index = 0): Chance | undefined {
    const [best] = this.ranked(field, index);
    return best && best.chance >= this.limit(field) ? best : undefined;
  }

  /** Of several likely values, each once. */
  private all(field: string, index = 0): Chance[] {
    const sure = this.ranked(field, index).filter(({ chance }) => chance >= this.limit(field));
    return sure.filter(
      ({ candidate }, at) => sure.findIndex((other) => other.candidate.value === candidate.value) === at,
    );
  }

  private added<Name extends string, T>(
    to: Partial<Record<Name, FieldValue<string> | FieldValue<number>>>,
    name: Name,
    field: string,
    put: (chance: Chance) => FieldValue<T>,
    index = 0,
  ): Partial<Record<Name, FieldValue<T>>> {
    const [best] = this.ranked(field, index);
    if (!best || best.chance < this.limit(field, to[name])) return {};
    const value = put(best);
    return value.value === to[name]?.value ? {} : ({ [name]: value } as Partial<Record<Name, FieldValue<T>>>);
  }

  private stop(stop: Stop, index: number): Stop {
    const references = stop.refrenceNumbers?.length ? [] : this.all("stop reference", index).map(textOf);
    const cargo = this.cargo(stop.cargo?.[0], index);
    const { country, ...place } = this.place(stop, "stop place", index);
    return {
      ...stop,
      ...this.added(stop, "name", "stop name", textOf, index),
      ...this.added(stop, "street", "stop street", textOf, index),
      ...place,
      ...(country && !stop.countryCode && { countryCode: country }),
      ...this.window(stop, index),
      ...(references.length > 0 && { refrenceNumbers: references }),
      ...(Object.keys(cargo).length > 0 && { cargo: [cargo, ...(stop.cargo ?? []).slice(1)] }),
    };
  }

  private window(stop: Stop, index: number): Pick<Stop, "startDate" | "endDate"> {
    const chances: StopChances = {
      day: this.ranked("stop day", index),
      lastDay: this.ranked("stop lastDay", index),
      startHour: this.ranked("stop startHour", index),
      endHour: this.ranked("stop endHour", index),
    };
    const { startDate, endDate } = stop;
    const begin = !startDate && endDate ? undefined : beginOf(chances, this.model.begin);
    const isBetter = (moment: Moment | undefined, field: string, known: FieldValue<string> | undefined) =>
      moment && moment.value !== known?.value && moment.chance >= this.limit(field, known);
    const valueOf = ({ value, chance, source }: Moment) => new LabelledValue(value, chance, source);
    const from = isBetter(begin, "stop start", startDate) ? valueOf(begin!) : startDate;
    const end = endOf(chances, startDate?.value, this.model.end);
    const to = isBetter(end, "stop end", endDate) ? valueOf(end!) : endDate;
    if (from && to && to.value < from.value.slice(0, to.value.length)) return {};
    return { ...(from && { startDate: from }), ...(to && { endDate: to }) };
  }

  private cargo(cargo: Cargo = {}, index: number): Cargo {
    const warmth = cargo.temeratureFrom || cargo.temeratureTo ? undefined : this.one("stop warmth", index);
    const [from, to] = String(warmth?.candidate.value ?? "")
      .split("/")
      .map(Number);
    const size = cargo.length ? undefined : this.one("stop size", index);
    const [length, width, height, units = ""] = String(size?.candidate.value ?? "").split("/");
    return {
      ...cargo,
      ...this.added(cargo, "weight", "stop weight", numberOf, index),
      ...this.added(cargo, "pallets", "stop pallets", numberOf, index),
      ...this.added(cargo, "quantity", "stop quantity", numberOf, index),
      ...this.added(cargo, "ldm", "stop ldm", numberOf, index),
      ...this.added(cargo, "volume", "stop volume", numberOf, index),
      ...this.added(cargo, "cargoType", "stop goods", textOf, index),
      ...(warmth && { temeratureFrom: valueFrom(from!, warmth), temeratureTo: valueFrom(to!, warmth) }),
      ...(size && {
        length: valueFrom(Number(length), size),
        width: valueFrom(Number(width), size),
        ...(height && { height: valueFrom(Number(height), size) }),
        units: valueFrom(units, size),
      }),
    };
  }

  private place(
    known: { city?: unknown; postalCode?: unknown },
    field: string,
    index: number,
  ): Partial<Record<"city" | "postalCode" | "country", FieldValue<string>>> {
    const best = known.city || known.postalCode ? undefined : this.one(field, index);
    if (!best) return {};
    const [country, code, city] = String(best.candidate.value).split("/");
    return {
      ...(city && { city: valueFrom(city, best) }),
      ...(code && { postalCode: valueFrom(postalCodeWithoutCountry(code), best) }),
      ...(country && { country: valueFrom(country, best) }),
    };
  }

  private party(scope: "customer" | "carrier"): Party | undefined {
    const party: Party = this.draft[scope] ?? {};
    const { country, ...place } = this.place(party, `${scope} place`, 0);
    const { contactPerson = {} } = party;
    const contact = {
      ...contactPerson,
      ...this.added(contactPerson, "name", `${scope} contact`, textOf),
      ...this.added(contactPerson, "phone", `${scope} phone`, textOf),
      ...this.added(contactPerson, "email", `${scope} email`, textOf),
    };
    const all: Party = {
      ...party,
      ...this.added(party, "name", `${scope} name`, textOf),
      ...this.added(party, "street", `${scope} street`, textOf),
      ...this.added(party, "vatCode", `${scope} vatCode`, textOf),
      ...place,
      ...(country && !party.country && { country }),
      ...(Object.keys(contact).length > 0 && { contactPerson: contact }),
    };
    return this.draft[scope] || Object.keys(all).length > 0 ? all : undefined;
  }

  private withDriver(carrier: Party): Party {
    const [first = {}, ...others] = carrier.drivers ?? [];
    const driver = {
      ...first,
      ...this.added(first, "name", "order driver", textOf),
      ...this.added(first, "phone", "order driverPhone", textOf),
    };
    return Object.keys(driver).length > 0 ? { ...carrier, drivers: [driver, ...others] } : carrier;
  }

  private payments(): OrderDraft["payments"] {
    const { payments = {} } = this.draft;
    const priced = payments.price ?? payments.basePrice ?? payments.totalNetAmount;
    const price = priced ? undefined : this.one("order price");
    const entity = price?.candidate.entity;
    const currency = entity?.type === "Amount" ? entity.value.currency : undefined;
    return {
      ...payments,
      ...(price && { price: numberOf(price) }),
      ...(price && currency && !payments.currency && { currency: valueFrom(currency, price) }),
      ...this.added(payments, "paymentDays", "order paymentDays", numberOf),
    };
  }
}
