import * as accounts from "../src/areas/accounts/index.ts";
import * as companies from "../src/areas/companies.ts";
import { companyClock, nextDue } from "../src/areas/company-clock.ts";
import * as keys from "../src/areas/keys.ts";
import { profileOperations, profileSteps } from "../src/areas/opportunities/index.ts";
import { settingsOperations, settingsSteps } from "../src/areas/mails/index.ts";
import { retentionOperations, retentionSteps } from "../src/areas/privacy/index.ts";
import * as sources from "../src/areas/sources/index.ts";
import type { Credential, Recognised } from "../src/kit/credential.ts";
import type { CompanyApi, Subscriber } from "../src/kit/owners.ts";
import { KeysUsed } from "./keys-used.ts";
import { decisionsOf, Owner } from "./owner/owner.ts";

const tokenSeconds = 3600;

/** One object for each company: its keys, its limits, its sources, the index of its webhooks. */
export class CompanyObject extends Owner<companies.Company> implements CompanyApi {
  readonly noun = "Company";
  readonly binding = "COMPANIES";
  readonly decisions = decisionsOf({
    accounts,
    companies,
    companyClock: { operations: {}, steps: companyClock },
    keys,
    sources,
    privacy: { operations: retentionOperations, steps: retentionSteps },
    mails: { operations: settingsOperations, steps: settingsSteps },
    mappingProfiles: { operations: profileOperations, steps: profileSteps },
  });
  protected override readonly clock = { step: companyClock.tick.name, due: nextDue };
  urlOf = () => "/api/v1/company";
  archiveRow = () => undefined;
  private readonly used = new KeysUsed(this.sql);

  async recognise(credential: Credential): Promise<Recognised> {
    const company = this.load()?.state;
    if (credential.kind === "Local")
      return { keyId: "local", scopes: ["*"], requestsPerSecond: company?.facts.requestsPerSecond };
    const keyId = credential.kind === "Key" ? credential.keyId : this.keyOfToken(credential.hash);
    if (keyId === "local") return this.recognise({ kind: "Local" });
    if (!company) return { refused: "unauthenticated" };
    const recognised = companies.recogniseKey(
      company,
      keyId ?? "",
      credential.kind === "Key" ? credential.hash : undefined,
      new Date().toISOString(),
    );
    if ("keyId" in recognised) this.used.note(recognised.keyId);
    return recognised;
  }

  /** A token stands for its key: it lives an hour at most and dies with the key. */
  async issueToken(keyId: string, hash: string): Promise<{ expiresInSeconds: number; scopes: string[] }> {
    this.sql.exec(
      "create table if not exists tokens (hash text primary key, keyId text not null, until integer not null) without rowid",
    );
    this.sql.exec("delete from tokens where until <= ?", Date.now());
    this.sql.exec("insert into tokens values (?, ?, ?)", hash, keyId, Date.now() + tokenSeconds * 1000);
    const key = this.load()?.state.keys.find((one) => one.keyId === keyId);
    return { expiresInSeconds: tokenSeconds, scopes: key?.scopes ?? ["*"] };
  }

  async keysUsed(): Promise<Record<string, string>> {
    return this.used.all();
  }

  async subscribers(): Promise<Subscriber[]> {
    return this.load()?.state.subscribers ?? [];
  }

  async sourceToken(record: string): Promise<string | undefined> {
    return this.ctx.storage.kv.get<string>(sourceTokenOf(record));
  }

  async keepSourceToken(record: string, sealed: string | undefined): Promise<void> {
    if (sealed === undefined) this.ctx.storage.kv.delete(sourceTokenOf(record));
    else this.ctx.storage.kv.put(sourceTokenOf(record), sealed);
  }

  private keyOfToken(hash: string): string | undefined {
    const known = this.sql.exec("select 1 from sqlite_master where name = 'tokens'").toArray().length > 0;
    if (!known) return undefined;
    return this.sql
      .exec<{ keyId: string }>("select keyId from tokens where hash = ? and until > ?", hash, Date.now())
      .toArray()[0]?.keyId;
  }
}

const sourceTokenOf = (record: string) => `sources/${record}/token`;
