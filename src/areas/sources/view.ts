import { Problem } from "../../platform/problem.ts";
import { shownAuthentication } from "../../platform/receivers/index.ts";
import type { Source } from "../companies.ts";
import { board, calls, type SourceView } from "./shapes.ts";

export function boardView(address: string): SourceView {
  const url = `${address}/board`;
  return { source: board, name: "Board", builtIn: true, url, calls: [...calls], alternativeLocations: false };
}

export function viewOf({ source, name, endpoint, authentication, calls: wanted, ...rest }: Source): SourceView {
  return {
    source,
    name,
    builtIn: false,
    ...(endpoint !== undefined && { endpoint }),
    authentication: shownAuthentication(authentication),
    calls: wanted,
    alternativeLocations: rest.alternativeLocations,
    createdAt: rest.createdAt,
    updatedAt: rest.updatedAt ?? rest.createdAt,
  };
}

/** @throws Problem `not_found`: a text is the number of no source */
export function numberOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Problem("not_found");
  return Number(text);
}
