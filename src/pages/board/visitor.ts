import { spendOnLink } from "../../kit/rate.ts";

/** Who asks, as far as the network tells. */
export const visitorOf = ({ headers }: Pick<Request, "headers">) => headers.get("cf-connecting-ip");

/** The board is for everyone, and for nobody all the time. @throws Problem `rate_limited` with Retry-After */
export function spendOnBoard(request: Pick<Request, "headers">): void {
  const visitor = visitorOf(request);
  if (visitor) spendOnLink(`board/${visitor}`);
}
