import { createServer } from "node:net";

/** Thrown if an address is in use, does not belong to this machine, or has an invalid port. */
export class AddressUnavailable extends Error {}

/** @throws {AddressUnavailable} with a message that says what to do */
export async function assertFree(host, port) {
  await new Promise((resolve, reject) => {
    const probe = createServer((socket) => socket.destroy());
    probe.once("error", (error) => reject(new AddressUnavailable(explained(error, host, port))));
    probe.listen({ host, port, exclusive: true }, () => probe.close(resolve));
  });
}

export const freePort = async (host) => (await freePorts(host, 1))[0];

/** Finds several different free ports. */
export async function freePorts(host, count) {
  const probes = await Promise.all(Array.from({ length: count }, () => probeAt(host)));
  const ports = probes.map((probe) => probe.address().port);
  await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))));
  return ports;
}

const probeAt = (host) =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen({ host, port: 0 }, () => resolve(probe));
  });

const explained = ({ code, message }, host, port) =>
  reasons[code]?.(host, port) ?? `Cannot listen on ${host}:${port}: ${message}.`;

const reasons = {
  EADDRINUSE: (host, port) =>
    `Port ${port} on ${host} is taken: stop the program that uses it, or choose another port with PORT=8788 npm start.`,
  EADDRNOTAVAIL: (host) => `This machine has no address ${host}: choose another address with HOST=127.0.0.1 npm start.`,
  ENOTFOUND: (host) => `There is no host named ${host}: choose another host with HOST=127.0.0.1 npm start.`,
  EACCES: (_host, port) =>
    `Port ${port} needs more rights than this user has: choose a port above 1023 with PORT=8787 npm start.`,
};

/**
 * Parses the value of the environment variable PORT.
 *
 * @throws {AddressUnavailable} if it is not a port number
 */
export function portFrom(text) {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text);
  throw new AddressUnavailable(`PORT is "${text}", which is not a port: a whole number from 0 to 65535.`);
}
