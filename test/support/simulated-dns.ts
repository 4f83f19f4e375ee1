import { Response as Answer, type Request as Sent } from "miniflare";

/** Where the false resolver is asked, for the var `DNS_RESOLVER`. */
export const resolverAddress = "https://resolver.beispiel.de/dns-query";

/** What a name leads to: addresses, or what the resolver says instead of them. */
export type NameBehaviour = string[] | (() => Answer | Promise<Answer>);

/** The names of a false internet, answered in the JSON form of DNS over HTTPS. Answers may be kept for `seconds`. */
export function simulateDns(seconds = 0) {
  const names = new Map<string, NameBehaviour>();
  const asked: string[] = [];
  return {
    /** The names that were looked up, one entry for each question. */
    asked,
    lead: (name: string, ...addresses: string[]) => void names.set(name, addresses),
    says: (name: string, said: () => Answer | Promise<Answer>) => void names.set(name, said),
    /** The answer to a question; nothing when the request is for somebody else. */
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

/** With an alias in front, as names of clouds have. */
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
