import { commands as accountCommands } from "../src/areas/accounts/commands.ts";
import { operations as accountOperations } from "../src/areas/accounts/operations.ts";
import { type Company, recogniseKey, statusOf } from "../src/areas/companies/model.ts";
import { companyClock, nextDue } from "../src/areas/companies/clock.ts";
import { commands as companyCommands } from "../src/areas/companies/commands.ts";
import { operations as companyOperations } from "../src/areas/companies/operations.ts";
import { commands as keyCommands } from "../src/areas/keys/commands.ts";
import { operations as keyOperations } from "../src/areas/keys/operations.ts";
import { profileOperations, profileCommands } from "../src/areas/opportunities/mapping-profile-operations.ts";
import { settingsOperations, settingsCommands } from "../src/areas/mails/settings.ts";
import { retentionOperations, retentionCommands } from "../src/areas/privacy/retention.ts";
import { listenersOf } from "../src/areas/webhooks/listeners.ts";
import { commands as tenantCommands } from "../src/areas/tenants/commands.ts";
import { operations as tenantOperations } from "../src/areas/tenants/operations.ts";
import { companyRow } from "../src/areas/tenants/search.ts";
import { operations as sourceOperations } from "../src/areas/sources/operations.ts";
import { commands as sourceCommands, resealed } from "../src/areas/sources/commands.ts";
import { holds, type Credential, type Recognised } from "../src/platform/credential.ts";
import type { AggregateBinding } from "../src/platform/registered.ts";
import type { CompanyApi, Lagging, Subscriber } from "../src/platform/aggregates.ts";
import { ArchiveRegister } from "./archive-register.ts";
import { KeysUsed } from "./keys-used.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";
import { Tokens, type Token } from "./tokens.ts";

/** Key id that stands for any key of the setting `LOCAL_KEYS`. */
const localKey = "local";

/** One object for each company: keys, limits, sources and the index of its webhooks. */
export class CompanyObject extends Aggregate<Company> implements CompanyApi {
  readonly noun = "Company";
  readonly decisions = decisionsOf({
    accounts: { operations: accountOperations, commands: accountCommands },
    tenants: { operations: tenantOperations, commands: tenantCommands },
    companies: { operations: companyOperations, commands: companyCommands },
    companyClock: { commands: companyClock },
    keys: { operations: keyOperations, commands: keyCommands },
    sources: { operations: sourceOperations, commands: sourceCommands },
    privacy: { operations: retentionOperations, commands: retentionCommands },
    mails: { operations: settingsOperations, commands: settingsCommands },
    mappingProfiles: { operations: profileOperations, commands: profileCommands },
  });
  protected override readonly clock = { command: companyClock.tick.name, due: nextDue };
  urlOf = () => "/api/v1/company";
  archiveRow = companyRow;
  protected override resealed = (state: Company, company: string) => resealed(this.env, company, state);
  private readonly used = new KeysUsed(this.sql);
  private readonly tokens = new Tokens(this.sql);
  private readonly register = new ArchiveRegister(this.sql, this.tables);

  async recognise(credential: Credential): Promise<Recognised> {
    if (credential.kind !== "Token") return this.recogniseKey(credential);
    const token = this.tokens.find(credential.hash);
    if (!token) return { refused: "unauthenticated" };
    const { keyId, scopes } = token;
    const recognised = this.recogniseKey(keyId === localKey ? { kind: "Local" } : { kind: "Key", keyId });
    if ("refused" in recognised || !scopes) return recognised;
    return { ...recognised, scopes: scopes.filter((scope) => holds(recognised, scope)) };
  }

  /** `hash` is absent if the caller has presented a verified token of the key. */
  private recogniseKey(credential: { kind: "Local" } | { kind: "Key"; keyId: string; hash?: string }): Recognised {
    const company = this.load()?.state;
    if (credential.kind === "Local" && company && statusOf(company) !== "Active")
      return { refused: "company_suspended" };
    if (credential.kind === "Local")
      return { keyId: localKey, scopes: ["*"], requestsPerSecond: company?.facts.requestsPerSecond };
    if (!company) return { refused: "unauthenticated" };
    const { keyId, hash } = credential;
    const recognised = recogniseKey(company, keyId, hash, new Date().toISOString());
    if ("keyId" in recognised) this.used.note(recognised.keyId);
    return recognised;
  }

  /** Issues a token for a key. The token expires after an hour at the latest, or with its key. */
  async issueToken(hash: string, token: Token): Promise<{ expiresInSeconds: number }> {
    return { expiresInSeconds: this.tokens.add(hash, token) };
  }

  async forgetBeside(): Promise<void> {
    this.tokens.forget();
    this.used.forget();
    this.register.forget();
    for (const [name] of this.ctx.storage.kv.list()) this.ctx.storage.kv.delete(name);
    this.deleteReplies();
  }

  async keysUsed(): Promise<Record<string, string>> {
    return this.used.all();
  }

  async subscribers(): Promise<Subscriber[]> {
    const company = this.load()?.state;
    return company ? listenersOf(company, new Date().toISOString()) : [];
  }

  async sourceToken(record: string): Promise<string | undefined> {
    return this.ctx.storage.kv.get<string>(sourceTokenOf(record));
  }

  async keepSourceToken(record: string, sealed: string | undefined): Promise<void> {
    if (sealed === undefined) this.ctx.storage.kv.delete(sourceTokenOf(record));
    else this.ctx.storage.kv.put(sourceTokenOf(record), sealed);
  }

  async lagsBehind(binding: AggregateBinding, id: string): Promise<void> {
    this.register.enter(binding, id);
  }

  async hasCaughtUp(binding: AggregateBinding, id: string): Promise<void> {
    this.register.leave(binding, id);
  }

  async lagging(after: number, limit: number): Promise<Lagging[]> {
    return this.register.page(after, limit);
  }

  async isLaggingSince(before: number): Promise<boolean> {
    return this.register.hasEntriesBefore(before);
  }
}

const sourceTokenOf = (record: string) => `sources/${record}/token`;
