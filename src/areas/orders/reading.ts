import type * as z from "zod";
import * as companies from "../companies.ts";
import type { Env, Job } from "../../kit/env.ts";
import { log, logFault } from "../../kit/log.ts";
import { askOwner } from "../../kit/owners.ts";
import { gazetteerOf } from "../../kit/places.ts";
import { OrderLocation, OrderView } from "../../reading/views/order.ts";
import { Budget, ReadingProblem, type ReadingReason } from "../../reading/problem.ts";
import { readOrders } from "../../reading/read.ts";
import type { Check, Reading, ReadingResult } from "../../reading/reading.ts";
import { steps } from "./steps.ts";
import { extractionKey, type Order } from "./order.ts";
import type { Extraction, OrderEnvelope } from "./shapes.ts";

/** The time one file may take. */
const budgetMilliseconds = 30_000;

/** The work `orders.read`: bytes in, envelopes and evidence out. Doing it twice does no harm: the first end counts. */
export async function read({ company, id }: Job, env: Env): Promise<void> {
  const call = { company, id };
  const { reply } = await askOwner(env, steps.begin, call, {});
  if (reply.go !== "Read") return;
  const began = Date.now();
  try {
    const result = await resultOf(reply.order, company, env);
    const envelopes = envelopesOf(result);
    await env.FILES.put(extractionKey(company, id), JSON.stringify(extractionsOf(id, result, Date.now() - began)));
    await askOwner(env, steps.finish, call, { envelopes });
    log({
      what: "orders.read",
      company,
      id,
      status: envelopes[0]?.status,
      orders: envelopes.length,
      pages: result.pages,
      milliseconds: Date.now() - began,
    });
  } catch (error) {
    await askOwner(env, steps.release, call, {}).catch((unreachable: unknown) =>
      logFault("orders.release", unreachable, call),
    );
    throw error;
  }
}

async function resultOf(order: Order, company: string, env: Env): Promise<ReadingResult<OrderView>> {
  const stored = await env.FILES.get(order.file.key);
  if (!stored) return failure(new ReadingProblem("file_corrupted", "The file is no longer there."));
  const { reply: facts } = await askOwner(env, companies.steps.facts, { company, id: company }, {});
  const file = { bytes: await stored.bytes(), name: order.file.name, mediaType: order.file.mediaType };
  const { name, otherNames = [], vatCodes = [], emailDomains = [], country } = facts;
  try {
    return await readOrders(
      file,
      {
        company: { names: [name, ...otherNames], vatCodes, emailDomains, country },
        today: new Date().toISOString().slice(0, 10),
        additionalInfo: order.additionalInfo,
      },
      { gazetteer: gazetteerOf(env), budget: new Budget(budgetMilliseconds) },
    );
  } catch (error) {
    if (error instanceof ReadingProblem) return failure(error);
    logFault("orders.read", error, { company });
    throw error;
  }
}

const failure = ({ reason, message }: ReadingProblem): ReadingResult<OrderView> => ({
  status: "Failed",
  reason,
  message,
  items: [],
  engine: "embedded",
  pages: 0,
  format: "Text",
  warnings: [],
});

/** The two validations that make an order `Partial`, in the words clients know. */
const validations: Record<string, string> = {
  LoadingAndUnloadingMatch: "Loading and Unloading locations match based on country code and postal code.",
  OrderDateInCurrentYear: "Order date must be in the current year.",
};

/** What a file is refused for at the door, when it shows only later: the codes a record fails with are fewer. */
const lateRefusals: Partial<Record<ReadingReason, string>> = {
  file_empty: "no_text_found",
  file_encrypted: "file_corrupted",
  file_unreadable: "file_corrupted",
  unsupported_file_type: "file_corrupted",
};

const endOf = (reason: ReadingReason = "input_not_freight"): string => lateRefusals[reason] ?? reason;

function envelopesOf(result: ReadingResult<OrderView>): OrderEnvelope[] {
  if (result.status === "Failed" || result.items.length === 0) {
    return [
      {
        sequenceId: 0,
        status: "Failed",
        errorCode: endOf(result.reason),
        message: result.message ?? "No order was found in the file.",
      },
    ];
  }
  return result.items.map(({ data, checks }, sequenceId) => {
    const reasons = failed(checks);
    const status = reasons.length > 0 ? ("Partial" as const) : ("Succeeded" as const);
    const message = reasons.length > 0 && { message: `Order validation failed. Reason: ${reasons.join(" ")}` };
    return { sequenceId, status, orderSubType: "Regular" as const, ...message, data: whole(data) };
  });
}

/** Clients count on these parts being there, empty when the document says nothing of them; in the specification's order. */
function whole(view: OrderView): OrderView {
  const { locations = [], ...rest } = view;
  return inOrder(OrderView, {
    ...rest,
    customer: view.customer ?? {},
    carrier: view.carrier ?? {},
    payer: view.payer ?? {},
    locations: locations.map((stop) =>
      inOrder(OrderLocation, {
        ...stop,
        ...(stop.name && { normalizedName: stop.normalizedName ?? stop.name }),
        ...(stop.street && { normalizedStreet: stop.normalizedStreet ?? stop.street }),
        coordinates: stop.coordinates ?? {},
      }),
    ),
    payments: view.payments ?? {},
    cargoValue: view.cargoValue ?? {},
    vehiclesLicensePlates: view.vehiclesLicensePlates ?? [],
    trailersLicensePlates: view.trailersLicensePlates ?? [],
  });
}

/** The same fields, in the order in which the shape names them. */
function inOrder<Shape extends z.ZodObject>(shape: Shape, fields: z.output<Shape>): z.output<Shape> {
  const said = fields as Record<string, unknown>;
  const names = Object.keys(shape.shape).filter((name) => name in said);
  return Object.fromEntries(names.map((name) => [name, said[name]])) as z.output<Shape>;
}

const failed = (checks: Check[]) => checks.flatMap(({ name, passed }) => (passed ? [] : (validations[name] ?? [])));

function extractionsOf(orderId: string, result: ReadingResult<OrderView>, milliseconds: number): Extraction[] {
  const { engine, language, pages, warnings } = result;
  const items: Pick<Reading<OrderView>, "evidence" | "checks">[] =
    result.items.length > 0 ? result.items : [{ evidence: [], checks: [] }];
  return items.map(({ evidence, checks }, sequenceId) => ({
    orderId,
    sequenceId,
    fields: Object.fromEntries(evidence.map(({ pointer, ...rest }) => [pointer, rest])),
    checks,
    engine,
    language,
    pages,
    milliseconds,
    warnings,
  }));
}
