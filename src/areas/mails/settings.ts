import { commandsOn } from "../../platform/command.ts";
import { operationsOn } from "../../http/operation.ts";
import { localCompany, type Company } from "../companies/model.ts";
import { addressOf } from "./address.ts";
import { MailAddress, MailSettings, MailSettingsInput } from "./model.ts";

// Settings for incoming mails are part of the state of the company.

const { get, put } = operationsOn<Company, object>({ binding: "COMPANIES", scope: "documents" });

const example = {
  answers: { order: { text: "Thank you, your order {{subject}} has come in: {{ids}}.\n\n{{company}}" } },
};

export const settingsCommands = commandsOn<Company, object>(
  "COMPANIES",
  "mailSettings",
)({
  look: (company) => ({ reply: { ...company?.mail, company: company?.facts.name ?? "" } }),
});

export const settingsOperations = {
  readAddress: get("/api/v1/mails/address", {
    summary: "Read the mail address of your company",
    description: "Mails to this address are classified and posted to the operation that extracts their content.",
    ok: MailAddress,
    example: { reply: { address: "in-0193a5f13b7a7c108e556d2f9b0a4c31-5f0c3e1a8b77d2c4@lorry.beispiel.de" } },
    async handle(_, { env, caller }) {
      const address = addressOf(env, caller.company);
      return address ? { address } : {};
    },
  }),

  readSettings: get("/api/v1/mails/settings", {
    summary: "Read the settings for incoming mails",
    description: "Replies to senders, and the senders whose mails are accepted.",
    ok: MailSettings,
    example: { reply: example },
    decide: (company) => ({ reply: company?.mail ?? {} }),
  }),

  updateSettings: put("/api/v1/mails/settings", {
    summary: "Replace the settings for incoming mails",
    description: "Replaces all settings. Without `answers` no replies are sent.",
    body: MailSettingsInput,
    ok: MailSettings,
    example: { body: example, reply: example },
    decide: (company, { body }, { at }) => {
      const answers = Object.fromEntries(Object.entries(body.answers ?? {}).filter(([, template]) => template));
      const mail: MailSettings = {
        ...(Object.keys(answers).length > 0 && { answers }),
        ...(body.senders && { senders: body.senders.map(normalizeSender) }),
      };
      return { state: { ...(company ?? localCompany(at)), mail }, reply: mail };
    },
  }),
};

const normalizeSender = (text: string) => text.trim().toLowerCase().replace(/^@/, "");
