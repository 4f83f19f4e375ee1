/** A mail as it goes out into the world. */
export interface SentMail {
  from: string;
  to: string;
  subject: string;
  text: string;
}

/** The binding of the cloud that sends mails: what is posted here is sent. */
export const mailer = `
  import { WorkerEntrypoint } from "cloudflare:workers";
  export class EMAIL extends WorkerEntrypoint {
    async send(mail) {
      const { ok } = await fetch("https://mails.example/", { method: "POST", body: JSON.stringify(mail) });
      if (!ok) throw new Error("The mail was not taken.");
    }
  }
  export default {};`;
