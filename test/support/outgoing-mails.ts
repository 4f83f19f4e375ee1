import { Response } from "miniflare";
import { openService, type TestService } from "./service.ts";

/** A sent mail. */
export interface SentMail {
  from: string;
  to: string;
  subject: string;
  text: string;
}

/** A fake mail binding. It forwards each sent mail to the simulated internet. */
const mailer = `
  import { WorkerEntrypoint } from "cloudflare:workers";
  export class EMAIL extends WorkerEntrypoint {
    async send(mail) {
      const { ok } = await fetch("https://mails.example/", { method: "POST", body: JSON.stringify(mail) });
      if (!ok) throw new Error("The mail was not taken.");
    }
  }
  export default {};`;

/** A service with the mails that it has sent. */
export interface PostOffice {
  service: TestService;
  /** The sent mails, in order of arrival. */
  mails: SentMail[];
  /** Is called before a mail is accepted. If it returns "Refused", the mail is refused. */
  meet: (mail: SentMail) => Promise<"Refused" | void>;
  /** Removes all recorded mails, and accepts all further mails. */
  clear: () => void;
}

/** Starts a service whose mails are recorded. @param isOfNote tells which mails are recorded; by default all */
export async function postOffice(isOfNote: (mail: SentMail) => boolean = () => true): Promise<PostOffice> {
  const mails: SentMail[] = [];
  const taken = () => Promise.resolve();
  const service = await openService({
    beside: { EMAIL: mailer },
    vars: { MAIL_FROM: "freights@spedition.example" },
    internet: async (request) => {
      const mail = (await request.json()) as SentMail;
      if (!isOfNote(mail)) return new Response();
      mails.push(mail);
      return new Response(null, { status: (await office.meet(mail)) === "Refused" ? 503 : 200 });
    },
  });
  const office: PostOffice = {
    service,
    mails,
    meet: taken,
    clear() {
      mails.length = 0;
      office.meet = taken;
    },
  };
  return office;
}
