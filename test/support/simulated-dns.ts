import { Response as Answer, type Request as Sent } from "miniflare";

/** URL of the simulated resolver, for the variable `DNS_RESOLVER`. */
export const resolverAddress = "https://resolver.beispiel.de/dns-query";

/** The addresses of a name, or another response of the resolver. */
export type NameBehaviour = string[] | (() => Answer | Promise<Answer>);

/** Simulates a DNS resolver that responds in the JSON format of DNS over HTTPS. `seconds` is the TTL of its answers. */
export function simulateDns(seconds = 0) {
  const names = new Map<string, NameBehaviour>();
  const asked: string[] = [];
  return {
    /** The names that were looked up, one entry for each request. */
    asked,
    lead: (name: string, ...addresses: string[]) => void names.set(name, addresses),
    says: (name: string, said: () => Answer | Promise<Answer>) => void names.set(name, said),
    /** Responds to a request. Returns undefined if the request is not for the resolver. */
    answer(request: Pick<Sent, "url">): Answer | Promise<Answer> | undefined {
      if (!request.url.startsWith(resolverAddress)) return undefined;
      const query = new URL(request.url).searchParams;
      const name = query.get("name") ?? "";
      asked.push(name);
      const known = names.get(name);
      if (typeof known === "function") return known();
      return known ? Answer.json(answered(name, query.get("type")!, known, seconds)) : noSuchName();
    },
  };
}

export const noSuchName = () => Answer.json({ Status: 3 });

const types: Record<string, number> = { A: 1, AAAA: 28 };

/** Makes a DNS answer that begins with a CNAME record, as the names of cloud services often have. */
function answered(name: string, type: string, addresses: string[], seconds: number) {
  const fitting = addresses.filter((address) => address.includes(":") === (type === "AAAA"));
  return {
    Status: 0,
    Answer: [
      { name, type: 5, TTL: 300, data: `edge.${name}.` },
      ...fitting.map((data) => ({ name: `edge.${name}`, type: types[type], TTL: seconds, data })),
    ],
  };
}
