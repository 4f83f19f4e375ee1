import { labelled, stopWeightsOf, type Part, type StopWeights } from "./sequence.ts";
import { stopItemsOf, type StopItem, type StopItemContext } from "./stop-items.ts";
import model from "./stop-weights.json" with { type: "json" };
import { routeAlong, rulerOf, samePlace, type Route, type Stop, type StopKind } from "./stops.ts";
import { stopRoles } from "../sections/roles.ts";

const weights = stopWeightsOf(model);

/**
 * Maximum number of addresses. In a document with more, most are not stops but a list of depots, or terms with places
 * of jurisdiction.
 */
const mostAddresses = 120;
/** Confidence of a stop that only the sequence of addresses indicates. */
const bySequence = 0.5;

/**
 * Corrects the types of the stops by the sequence of addresses, where a heading is missing or covers too much. If the
 * new route scores hardly better, the route by the headings is kept.
 */
export function relabelStops(context: StopItemContext): Route {
  const { route } = context;
  if (context.addresses.length < 2 || context.addresses.length > mostAddresses) return route;
  const items = stopItemsOf(context);
  const best = labelled(items, weights);
  if (items.every(({ part }, at) => part === best.parts[at])) return route;
  if (best.score - scoreOfHeadings(items, weights) < model.margin) return route;
  const stops = stopsBy(items, best.parts, context);
  const has = (kind: StopKind) => stops.some((stop) => stop.kind === kind && stop.address);
  return has("Loading") && has("Unloading") ? routeAlong(stops, context.document, context.sections) : route;
}

/** Returns the total score if each address has the part in the route that its heading assigns. */
export function scoreOfHeadings(items: readonly StopItem[], signs: StopWeights): number {
  return labelled(items, signs, (at, part) => (items[at]?.part === part ? 0 : never)).score;
}

const never = -1e9;

function stopsBy(items: readonly StopItem[], parts: readonly Part[], { route, sections }: StopItemContext): Stop[] {
  const stops = route.stops.map((stop) => ({ ...stop }));
  const copyOf = (stop: Stop) => stops[route.stops.indexOf(stop)];
  const gone = new Set<Stop>();
  for (const [at, { address, stop, part: before }] of items.entries()) {
    const part = parts[at] ?? "Outside";
    const known = stop && copyOf(stop);
    if (part === before || (known && known.address !== address)) continue;
    if (known && part === "Outside") gone.add(known);
    else if (known) Object.assign(known, { kind: part, confidence: Math.min(known.confidence, bySequence) });
    else if (part !== "Outside" && !stops.some((other) => other.kind === part && samePlace(other.address, address))) {
      const head = rulerOf(sections, address);
      const waiting = stops.filter((other) => other.kind === part && !other.address);
      const open = waiting.find(({ heads }) => head && heads.includes(head)) ?? waiting[0];
      const heads = head && stopRoles.has(head.role) ? [head] : [];
      if (open) Object.assign(open, { address, confidence: bySequence });
      else stops.push({ kind: part, address, heads, confidence: bySequence });
    }
  }
  return stops.filter((stop) => !gone.has(stop));
}
