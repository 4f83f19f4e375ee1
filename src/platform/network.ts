import ipaddr from "ipaddr.js";

/**
 * Where a request comes from, as limits count it: an IPv4 address, or the /64 of an IPv6 address, since whoever has one
 * address of a /64 has all of them. Undefined where nothing tells, as on a machine of one's own.
 */
export function networkOf({ headers }: Pick<Request, "headers">): string | undefined {
  const address = headers.get("cf-connecting-ip");
  if (!address || !ipaddr.isValid(address)) return address ?? undefined;
  const plain = ipaddr.process(address);
  if (plain instanceof ipaddr.IPv4) return plain.toString();
  const prefix = plain.parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(":")}::/64`;
}
