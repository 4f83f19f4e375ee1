import { commands as carrierOrderCommands } from "../carrier-orders/commands.ts";
import { commands as companyCommands } from "../companies/commands.ts";
import { commands as orderCommands } from "../orders/commands.ts";
import { placeOf, runsOf } from "../transactions/normalize-lines.ts";
import { ledgerOf } from "../transactions/ledger.ts";
import { commands as vehicleCommands } from "../vehicles/commands.ts";
import type { Vehicle } from "../vehicles/model.ts";
import { anyOf, listArchive, normalizeNumber } from "../../platform/archive/archive.ts";
import type { Env } from "../../platform/env.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { erased } from "../../domain/person.ts";
import { coordinatesOf, gazetteerOf } from "../../domain/places/places.ts";
import { Problem } from "../../platform/problem.ts";
import { localTimeIn, zoneOf } from "../../domain/places/zones.ts";
import { countryOfCode } from "../../extraction/lexicon/countries.ts";
import type { OrderLocation, OrderView } from "../../extraction/kinds/order/view.ts";
import { occurredAt } from "./time-windows.ts";
import { besideMilliseconds } from "./evidence.ts";
import type { Fine, MatchContext, Purchase, Suspect } from "./match-context.ts";
import { PlateIndex, plateKey, type LikePlate } from "./plates.ts";
import { margin, roadOf, type Road } from "./orders-on-road.ts";

type Given = NonNullable<Vehicle["given"]>;

const day = 24 * 60 * 60 * 1000;
/** Maximum number of orders that are loaded for a vehicle around the time of the offence. */
const mostRoads = 20;
const mostPurchases = 50;
/**
 * A town named in the text determines the country if it has at least `largeTown` inhabitants, and at least
 * `clearlyLarger` times as many as the largest named town of another country.
 */
const [largeTown, clearlyLarger] = [100_000, 5];

/** Whether a company has vehicles to which fines can be assigned. */
export const keepsFleet = async (env: Env, company: string): Promise<boolean> =>
  (await ledgerOf(env, company).plates()).length > 0;

/** Loads the company's data for matching fines. Each record is loaded once. */
export class MatchData {
  private readonly env: Env;
  private readonly company: string;
  private plates: Promise<PlateIndex> | undefined;
  private home: Promise<string | undefined> | undefined;
  private readonly vehicles = new Map<string, Promise<Given | undefined>>();
  private readonly views = new Map<string, Promise<OrderView[]>>();

  constructor(env: Env, company: string) {
    this.env = env;
    this.company = company;
  }

  /**
   * Loads the data for matching a fine. Orders and purchases are loaded only if exactly one vehicle is found and its
   * likeness is not `Near`.
   */
  async contextOf(fine: Fine, reading?: MatchContext["reading"]): Promise<MatchContext> {
    const where = await this.locationOf(fine);
    const like = fine.licensePlate ? (await this.fleet()).like(plateKey(fine.licensePlate)) : [];
    const known = await Promise.all(like.map(async (one) => ({ ...one, given: await this.vehicle(one.vehicleId) })));
    const there = known.flatMap(({ given, ...one }) => (given ? [{ ...one, given }] : []));
    const isOne = there.length === 1 && there[0]!.likeness !== "Near";
    const suspects = await Promise.all(
      there.map(async (one) => (isOne ? this.suspect(one, fine, where.zone) : suspectOf(one))),
    );
    return { ...where, suspects, ...(reading && { reading }) };
  }

  /** Loads the data for matching a fine with a selected vehicle. Returns undefined if the vehicle does not exist. */
  async contextOfVehicle(
    vehicleId: string,
    fine: Fine,
  ): Promise<{ known: Omit<MatchContext, "suspects">; suspect: Suspect } | undefined> {
    const given = await this.vehicle(vehicleId);
    if (!given) return undefined;
    const known = await this.locationOf(fine);
    return { known, suspect: await this.suspect({ vehicleId, likeness: "Same", given }, fine, known.zone) };
  }

  /** Drops the cache and checks that archive and ledger respond. @throws their errors */
  async probe(): Promise<void> {
    this.forget();
    const ledger = ledgerOf(this.env, this.company);
    await Promise.all([
      this.env.ARCHIVE.prepare("select 1").first(),
      ledger.list({ terms: {}, sort: "occurredAt", limit: 1 }),
    ]);
  }

  forget(): void {
    this.plates = undefined;
    this.home = undefined;
    this.vehicles.clear();
    this.views.clear();
  }

  /** Whether the company has an order or a carrier order with this id. */
  async hasOrder(orderId: string): Promise<boolean> {
    const call = { company: this.company, id: orderId };
    const [order, carrierOrder] = await Promise.all([
      unlessNotFound(executeCommand(this.env, orderCommands.look, call, {})),
      unlessNotFound(executeCommand(this.env, carrierOrderCommands.data, call, {})),
    ]);
    return (order ?? carrierOrder) !== undefined;
  }

  /**
   * Determines the location of the offence. The country is the stated one. If neither a country nor a position is
   * stated, it follows from the IBAN, then from the currency. Otherwise it is assumed: the country of a large town that
   * `place` names (possibly as part of a street name), or the country of the company.
   */
  private async locationOf(fine: Fine): Promise<Omit<MatchContext, "suspects">> {
    const told =
      fine.countryCode ?? (fine.position ? undefined : (countryOfIban(fine.iban) ?? countryOfCurrency(fine.currency)));
    const isAssumed = told === undefined && fine.position === undefined;
    const countryCode = isAssumed ? ((await this.countryOfTown(fine.place)) ?? (await this.homeCountry())) : told;
    const point =
      fine.position ??
      (countryCode && fine.place ? await placeOf(this.env, countryCode, { station: fine.place }) : undefined);
    const zone = zoneOf({ countryCode, ...point }) ?? "UTC";
    return { zone, isAssumed, now: Date.now(), ...(countryCode && { countryCode }), ...(point && { point }) };
  }

  private async countryOfTown(place: string | undefined): Promise<string | undefined> {
    if (!place) return undefined;
    const gazetteer = await gazetteerOf(this.env).prepare([]);
    const towns = runsOf(place)
      .flatMap((words) => gazetteer.lookupCity(words))
      .sort((one, other) => other.population - one.population);
    const [largest] = towns;
    const rival = towns.find(({ country }) => country !== largest!.country);
    const isClear = largest && largest.population >= clearlyLarger * (rival?.population ?? 0);
    return isClear && largest.population >= largeTown ? largest.country : undefined;
  }

  private async homeCountry(): Promise<string | undefined> {
    const call = { company: this.company, id: this.company };
    this.home ??= executeCommand(this.env, companyCommands.facts, call, {}).then(({ reply }) => reply.country);
    return this.home;
  }

  private fleet(): Promise<PlateIndex> {
    this.plates ??= this.allPlates();
    return this.plates;
  }

  /**
   * Loads all plates of the fleet, normalized. They come from the ledger, because it knows a new vehicle as soon as the
   * request that created the vehicle is answered.
   */
  private async allPlates(): Promise<PlateIndex> {
    const plates = new PlateIndex();
    for (const [plate, vehicleId] of await ledgerOf(this.env, this.company).plates()) plates.add(plate, vehicleId);
    return plates;
  }

  private vehicle(vehicleId: string): Promise<Given | undefined> {
    const call = { company: this.company, id: vehicleId };
    const known =
      this.vehicles.get(vehicleId) ??
      unlessNotFound(executeCommand(this.env, vehicleCommands.facts, call, {})).then((facts) => facts?.given);
    this.vehicles.set(vehicleId, known);
    return known;
  }

  private async suspect(one: LikePlate & { given: Given }, fine: Fine, zone: string): Promise<Suspect> {
    if (!fine.offenceAt) return suspectOf(one);
    const { windows } = occurredAt(fine.offenceAt, zone);
    const [from, to] = [windows[0]!.from, windows.at(-1)!.to];
    const [roads, purchases] = await Promise.all([
      this.roads(plateTerms(one.given.licensePlate!), from, to),
      this.purchases(one.vehicleId, from, to),
    ]);
    return { ...suspectOf(one), roads, purchases };
  }

  /**
   * Loads the orders that have one of the plates and were transported around the given time. The archive finds the
   * orders; their exact times are read from their aggregates.
   */
  private async roads(terms: string[], from: number, to: number): Promise<Road[]> {
    const clock = (instant: number) => localTimeIn(new Date(instant).toISOString(), "UTC");
    const { items } = await listArchive<{ orderId: string; kind: string; status: string }>(this.env.ARCHIVE, {
      table: "orders",
      company: this.company,
      terms: [anyOf(...terms)],
      ranges: [
        { column: "loadingDate", to: clock(to + margin + day) },
        { column: "unloadingDate", from: clock(from - margin - 7 * day) },
      ],
      sort: "-createdAt",
      limit: mostRoads,
    });
    const live = items.filter(({ status }) => status !== "Cancelled" && status !== "Failed");
    const roads = await Promise.all(
      live.map(async ({ orderId, kind }) =>
        (await this.viewsOf(orderId, kind)).flatMap((view) => roadOf(orderId, view) ?? []),
      ),
    );
    return roads.flat();
  }

  private viewsOf(orderId: string, kind: string): Promise<OrderView[]> {
    const known = this.views.get(orderId) ?? this.located(orderId, kind);
    this.views.set(orderId, known);
    return known;
  }

  private async located(orderId: string, kind: string): Promise<OrderView[]> {
    const call = { company: this.company, id: orderId };
    const views =
      kind === "Carrier"
        ? [await unlessNotFound(executeCommand(this.env, carrierOrderCommands.data, call, {}))]
        : ((await unlessNotFound(executeCommand(this.env, orderCommands.look, call, {})))?.envelopes ?? []).map(
            ({ data }) => data,
          );
    return Promise.all(
      views
        .flatMap((view) => view ?? [])
        .map(async (view) => ({
          ...view,
          locations: await Promise.all((view.locations ?? []).map((stop) => this.withPoint(stop))),
        })),
    );
  }

  private async withPoint(stop: OrderLocation): Promise<OrderLocation> {
    const { countryCode, postalCode, city, coordinates } = stop;
    if (coordinates?.latitude !== undefined || !countryCode) return stop;
    const point = await coordinatesOf(this.env, { countryCode, postalCode, city });
    return point ? { ...stop, coordinates: point } : stop;
  }

  private async purchases(vehicleId: string, from: number, to: number): Promise<Purchase[]> {
    const at = (instant: number) => new Date(instant).toISOString();
    const { items } = await ledgerOf(this.env, this.company).list({
      terms: { vehicleId },
      from: at(from - besideMilliseconds),
      to: at(to + besideMilliseconds),
      sort: "occurredAt",
      limit: mostPurchases,
    });
    return items
      .filter(({ type, status }) => type === "Purchase" && status !== "Voided" && status !== "Ignored")
      .map(({ id, occurredAt: moment, timed, countryCode, point, driverSaid }) => ({
        transactionId: id,
        at: Date.parse(moment),
        timed,
        countryCode,
        point,
        driverSaid,
      }));
  }
}

const suspectOf = ({ vehicleId, likeness, given }: LikePlate & { given: Given }): Suspect => ({
  vehicleId,
  likeness,
  licensePlate: given.licensePlate ?? "",
  countryCode: given.countryCode,
  assignments: (given.assignments ?? []).filter(({ driver }) => driver.name !== erased.name),
  roads: [],
  purchases: [],
});

/** Returns the search terms for the two normalized forms in which orders may have a plate. */
const plateTerms = (plate: string) =>
  [...new Set([normalizeNumber(plate), plateKey(plate)])].map((one) => `licensePlate:${one}`);

/** Returns undefined if the record does not exist or does not allow the command. @throws other errors */
async function unlessNotFound<Reply>(asked: Promise<{ reply: Reply }>): Promise<Reply | undefined> {
  try {
    return (await asked).reply;
  } catch (error) {
    if (error instanceof Problem && (error.reason === "not_found" || error.reason === "invalid_state"))
      return undefined;
    throw error;
  }
}

const countryOfIban = (iban: string | undefined) => iban && countryOfCode(iban.trim().slice(0, 2));

/**
 * Returns the country of a currency, whose code begins with that of the country. The euro is excluded, because it
 * belongs to several countries.
 */
const countryOfCurrency = (currency: string | undefined) =>
  currency && currency !== "EUR" ? countryOfCode(currency.slice(0, 2)) : undefined;
