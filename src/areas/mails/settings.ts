import { operationsOn } from "../../kit/operation.ts";
import { localCompany, type Company } from "../companies.ts";
import { addressOf } from "./address.ts";
import { MailSettings, MailSettingsInput } from "./shapes.ts";
import { stepsOn } from "../../kit/operation.ts";
import { Answer } from "../../kit/http.ts";

// How a company takes mails in: a part of its state

const { get, put } = operationsOn<Company, object>({ binding: "COMPANIES", scope: "documents" });

const inputExample = {
  answers: { order: { text: "Thank you, your order {{subject}} has come in: {{ids}}.\n\n{{company}}" } },
};
const example = {
  address: "in-0193a5f13b7a7c108e556d2f9b0a4c31-5f0c3e1a8b77d2c4@lorry.beispiel.de",
  ...inputExample,
};

export const settingsSteps = stepsOn<Company, object>(
  "COMPANIES",
  "mailSettings",
)({
  look: (company) => ({ reply: { ...company?.mail, company: company?.facts.name ?? "" } }),

  say: (company, said: MailSettingsInput, { at }) => {
    const { mail: _, ...now } = company ?? localCompany(at);
    const answers = Object.fromEntries(Object.entries(said.answers ?? {}).filter(([, template]) => template));
    const mail = {
      ...(Object.keys(answers).length > 0 && { answers }),
      ...(said.senders && { senders: said.senders.map((one) => one.trim().toLowerCase().replace(/^@/, "")) }),
    };
    return { state: { ...now, mail }, reply: mail };
  },
});

export const settingsOperations = {
  readSettings: get("/api/v1/mails/settings", {
    summary: "Read how mails come in",
    description: "The address that your company's mails go to, what senders are answered, and whose mails are taken.",
    ok: MailSettings,
    example: { reply: example },
    async handle(_, { env, caller, look }) {
      const { company: __, ...mail } = await look(settingsSteps.look, caller.company, {});
      return shown(mail, addressOf(env, caller.company));
    },
  }),

  updateSettings: put("/api/v1/mails/settings", {
    summary: "Say how mails come in",
    description: "Replaces all of it. Without `answers` nobody is answered.",
    body: MailSettingsInput,
    ok: MailSettings,
    example: { body: inputExample, reply: example },
    async handle({ body }, { env, caller, perform }) {
      const { reply, ...more } = await perform(settingsSteps.say, caller.company, body);
      return new Answer(shown(reply, addressOf(env, caller.company)), more);
    },
  }),
};

const shown = ({ answers, senders }: NonNullable<Company["mail"]>, address: string | undefined): MailSettings => ({
  ...(address && { address }),
  ...(answers && { answers }),
  ...(senders && { senders }),
});
