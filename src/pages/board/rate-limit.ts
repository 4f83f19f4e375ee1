import { networkOf } from "../../platform/network.ts";
import { takeLinkToken } from "../../http/rate-limit.ts";

/** Limits the requests of a visitor. @throws Problem `rate_limited` with Retry-After */
export function limitBoardVisitor(request: Pick<Request, "headers">): void {
  const visitor = networkOf(request);
  if (visitor) takeLinkToken(`board/${visitor}`);
}
