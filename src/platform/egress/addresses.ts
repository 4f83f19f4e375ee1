import ipaddr from "ipaddr.js";

/**
 * Names that are not on the public internet: reserved names, internal names of networks and clouds, and metadata
 * services, which give machines their credentials.
 */
const internalNames = new RegExp(
  `(^|\\.)(${[
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "private",
    "lan",
    "home",
    "corp",
    "svc",
    "home.arpa",
    "test",
    "invalid",
    "onion",
    "alt",
    "example",
    "metadata.goog",
    "metadata.tencentyun.com",
    "metadata.packet.net",
    "metadata.platformequinix.com",
  ]
    .join("|")
    .replaceAll(".", "\\.")})$`,
);

/** A public host name has at least two labels, the last of which is not numeric. */
const publicName = /^(?=.{4,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+(?!\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/;

/** Ports above 1023 of databases, caches, queues, mail, telephony, remote control and clusters. */
const internalPorts = new Set([
  1433, 1434, 1521, 1719, 1720, 1723, 1883, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060,
  5061, 5432, 5433, 5671, 5672, 5900, 5984, 5985, 5986, 6000, 6379, 6380, 6443, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 7000, 7001, 7199, 8086, 8300, 8301, 8500, 8501, 9042, 9092, 9093, 9200, 9300, 10_080, 10_250, 10_255,
  11_211, 15_672, 25_672, 26_379, 27_017, 27_018, 27_019, 33_060, 50_000, 61_616,
]);

/**
 * Whether calls to the port are allowed.
 * @param port as in `URL`: empty for the default port of the scheme
 */
export function isAllowedPort(port: string): boolean {
  const number = Number(port || 443);
  return number === 443 || (number >= 1024 && !internalPorts.has(number));
}

/**
 * Whether a host is an IP address.
 * @param host as in `URL`: lower case, IP addresses of every notation as a dotted quad or in brackets
 */
export const isIpAddress = (host: string): boolean => host.startsWith("[") || ipaddr.IPv4.isValidFourPartDecimal(host);

/**
 * Whether a host has a public name.
 * @param host without a trailing dot
 */
export const isPublicName = (host: string): boolean => publicName.test(host) && !internalNames.test(host);

/** Public addresses at which clouds provide internal services. */
const cloudAddresses = new Set(["168.63.129.16"]);
/** The allocated range of IPv6. Other ranges may be mapped to an internal IPv4 network. */
const allocatedIpv6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Whether a text is an IP address of the public internet. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const plain = ipaddr.process(address);
  if (plain.range() !== "unicast" || cloudAddresses.has(plain.toString())) return false;
  return plain instanceof ipaddr.IPv4 || plain.match(allocatedIpv6);
}
