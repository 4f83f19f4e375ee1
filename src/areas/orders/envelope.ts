import type * as z from "zod";
import { OrderLocation, OrderView } from "../../extraction/kinds/order/view.ts";
import type { Check, Reading } from "../../extraction/document/reading.ts";
import type { OrderEnvelope } from "./shapes.ts";

/** The two validations that make an order `Partial`, in the words clients know. */
const validations: Record<string, string> = {
  LoadingAndUnloadingMatch: "Loading and Unloading locations match based on country code and postal code.",
  OrderDateInCurrentYear: "Order date must be in the current year.",
};

/** An order as it is answered: read in part where a validation did not pass. */
export function envelopeOf(
  { data, checks }: Pick<Reading<OrderView>, "data" | "checks">,
  sequenceId: number,
): OrderEnvelope {
  const reasons = failed(checks);
  const status = reasons.length > 0 ? ("Partial" as const) : ("Succeeded" as const);
  const message = reasons.length > 0 && { message: `Order validation failed. Reason: ${reasons.join(" ")}` };
  return { sequenceId, status, orderSubType: "Regular" as const, ...message, data: whole(data) };
}

const failed = (checks: Check[]) => checks.flatMap(({ name, passed }) => (passed ? [] : (validations[name] ?? [])));

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
