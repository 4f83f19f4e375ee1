import ipaddr from "ipaddr.js";

/**
 * The network of a request, for rate limits: an IPv4 address, or the /64 of an IPv6 address, because a client that has one address
 * of a /64 has all of them. Undefined on a developer's machine.
 */
export function networkOf({ headers }: Pick<Request, "headers">): string | undefined {
  const address = headers.get("cf-connecting-ip");
  if (!address || !ipaddr.isValid(address)) return address ?? undefined;
  const plain = ipaddr.process(address);
  if (plain instanceof ipaddr.IPv4) return plain.toString();
  const prefix = plain.parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(":")}::/64`;
}
