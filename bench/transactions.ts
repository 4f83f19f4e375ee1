// Measures the import of a statement of 100,000 lines, the matching with 500 vehicles, and queries on the result. `node
// bench/transactions.ts` writes the figures into bench/README.md; with `--print` it only prints them. `--lines 1000000`
// imports more.
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "../scripts/build.mjs";
import { startHost, type Host } from "./children.ts";
import { measuringConditions } from "./machine.ts";
import { median } from "./median.ts";
import { cpuOf, foreignDuring, memoryOf } from "./processes.ts";
import { table, writeFigures } from "./readme.ts";
import { requestJson, company } from "./world.ts";

const place = process.argv.indexOf("--lines");
const lines = place < 0 ? 100_000 : Number(process.argv[place + 1]);
const fleet = 500;
const minute = 60_000;
const requestsEach = 15;

interface Feed {
  feedId: string;
  status: string;
  accepted: number;
  duplicates: number;
  matched: number;
  flagged: number;
}

interface Caller {
  base: string;
  headers: Record<string, string>;
}

async function main(): Promise<void> {
  await build();
  // The statement is generated before any connection is open, because this blocks the event loop for seconds.
  // Meanwhile, this process would not notice that the server closes a connection.
  const statement = new File([statementText()], "statement.csv");
  const lorry = await startHost("lorry");
  try {
    const base = `${lorry.urls["lorry"]}/api/v1`;
    const operator = { authorization: `Bearer ${lorry.operatorKey}` };
    const { key } = await requestJson<{ key: string }>(`${base}/companies`, "POST", operator, company);
    const caller = { base, headers: { "x-api-key": key } };
    const imports: string[][] = [];
    const asks: string[][] = [];
    const foreign = await foreignDuring(async () => {
      await postFleet(caller);
      imports.push(await imported("a statement of new lines", statement, lorry, caller));
      imports.push(await imported("the same again: all of them duplicates", statement, lorry, caller));
      for (const [name, path] of Object.entries(await paths(caller))) asks.push([name, await timed(caller, path)]);
    });
    const figures = [
      measuringConditions(foreign),
      table(
        ["", "lines", "seconds", "lines per second", "CPU µs per line", "memory before, MiB", "highest, MiB"],
        imports,
      ),
      table([`query among ${inWords(lines)}`, "p50 ms"], asks),
    ].join("\n\n");
    console.log(`${figures}\n`);
    if (!process.argv.includes("--print")) await writeFigures("transactions", figures);
  } finally {
    await lorry.stop();
  }
}

async function postFleet({ base, headers }: Caller): Promise<void> {
  let next = 0;
  const some = async () => {
    for (let at = next++; at < fleet; at = next++) {
      const driver = { name: `Driver ${at}` };
      await requestJson(`${base}/vehicles`, "POST", headers, {
        licensePlate: `WGM ${10_000 + at}`,
        tankCapacity: 1200,
        cards: [{ provider: "Beispielkarte", number: `70401234${10_000 + at}` }],
        assignments: [{ driver, from: "2026-01-01" }],
      });
    }
  };
  await Promise.all(Array.from({ length: 8 }, some));
}

/**
 * Writes the statement. Each vehicle refuels every other day. One line in 20 is AdBlue; one in 200 has a wrong total.
 */
function statementText(): string {
  const rows = [
    "Beleg-Nr.;Datum;Uhrzeit;Kartennr.;Kennzeichen;Station;Land;Produkt;Menge;Einheit;Preis/Einh.;Netto;MwSt;Brutto;Währung;km-Stand",
  ];
  for (let at = 0; at < lines; at++) {
    const vehicle = at % fleet;
    const moment = new Date(Date.UTC(2026, 0, 2) + Math.floor(at / fleet) * 2 * 24 * 60 * minute + vehicle * minute);
    const [day, time] = moment.toISOString().slice(0, 16).split("T");
    const price = 1300 + ((at * 7) % 90);
    const net = 400 * price;
    const vat = Math.round(net * 0.19);
    const gross = net + vat + (at % 200 === 0 ? 1000 : 0);
    const product = at % 20 === 0 ? "AdBlue" : "Diesel";
    const money = (thousandths: number) => (thousandths / 1000).toFixed(2).replace(".", ",");
    rows.push(
      `B-${at};${day!.split("-").toReversed().join(".")};${time};70401234${10_000 + vehicle};WGM ${10_000 + vehicle};Rasthof ${at % 97};DE;${product};400,00;L;${(price / 1000).toFixed(4).replace(".", ",")};${money(net)};${money(vat)};${money(gross)};EUR;${100_000 + Math.floor(at / fleet) * 900}`,
    );
  }
  return `${rows.join("\r\n")}\r\n`;
}

async function imported(name: string, statement: File, { pid }: Host, { base, headers }: Caller): Promise<string[]> {
  const form = new FormData();
  form.set("provider", "Beispielkarte");
  form.set("file", statement);
  const before = inMemory(pid);
  let highest = before;
  const [cpu, began] = [cpuOf(pid), performance.now()];
  const answer = await fetch(`${base}/transactions-feed`, { method: "POST", headers, body: form });
  if (answer.status !== 202)
    throw new Error(`The response to the statement was ${answer.status}: ${await answer.text()}`);
  let feed: Feed = await answer.json();
  while (feed.status === "Importing") {
    highest = Math.max(highest, inMemory(pid));
    await sleep(250);
    feed = await requestJson<Feed>(`${base}/transactions-feed/feeds/${feed.feedId}`, "GET", headers);
  }
  const seconds = (performance.now() - began) / 1000;
  const all = feed.accepted + feed.duplicates;
  if (feed.status !== "Imported" || all !== lines || feed.matched + feed.flagged !== feed.accepted)
    throw new Error(`The import ended as ${JSON.stringify(feed)}.`);
  const used = Math.round((cpuOf(pid) - cpu) / lines);
  return [
    name,
    inWords(lines),
    seconds.toFixed(1),
    inWords(lines / seconds),
    `${used}`,
    inWords(before),
    inWords(highest),
  ];
}

/** Reads the resident memory of the runtime in MiB, which includes its simulated storage. */
const inMemory = (pid: number) => memoryOf(pid)["workerd"] ?? 0;

async function paths({ base, headers }: Caller): Promise<Record<string, string>> {
  const found = await requestJson<{ items: { transactionId: string; vehicleId: string }[] }>(
    `${base}/transactions-feed?limit=1`,
    "GET",
    headers,
  );
  const { transactionId, vehicleId } = found.items[0]!;
  return {
    "one transaction": `/${transactionId}`,
    "the newest 50": "",
    "50 of one vehicle, by time": `?vehicleId=${vehicleId}&sort=-occurredAt`,
    "50 of one plate in a month": "?licensePlate=WGM10017&occurredFrom=2026-03-01&occurredTo=2026-03-31",
    "50 that are flagged": "?status=Flagged",
    "50 with a wrong total": "?anomaly=VatInconsistent",
    "totals by vehicle": "?summary=vehicle",
    "totals by month": "?summary=month",
    "totals by country of one quarter": "?summary=country&occurredFrom=2026-01-01&occurredTo=2026-03-31",
  };
}

async function timed({ base, headers }: Caller, path: string): Promise<string> {
  const times: number[] = [];
  for (let sent = 0; sent < requestsEach; sent++) {
    const began = performance.now();
    await requestJson(`${base}/transactions-feed${path}`, "GET", headers);
    times.push(performance.now() - began);
  }
  return median(times).toFixed(1);
}

const inWords = (figure: number) => Math.round(figure).toLocaleString("en-US");

await main();
