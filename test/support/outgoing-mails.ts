import { Response } from "miniflare";
import { openService, type TestService } from "./service.ts";

/** A mail as it goes out into the world. */
export interface SentMail {
  from: string;
  to: string;
  subject: string;
  text: string;
}

/** The binding of the cloud that sends mails: what is posted here is sent. */
const mailer = `
  import { WorkerEntrypoint } from "cloudflare:workers";
  export class EMAIL extends WorkerEntrypoint {
    async send(mail) {
      const { ok } = await fetch("https://mails.example/", { method: "POST", body: JSON.stringify(mail) });
      if (!ok) throw new Error("The mail was not taken.");
    }
  }
  export default {};`;

/** Where mails of a service arrive. */
export interface PostOffice {
  service: TestService;
  /** In the order they came. */
  mails: SentMail[];
  /** What happens to a mail before it is taken; it is not taken when this says so. */
  meet: (mail: SentMail) => Promise<"Refused" | void>;
  /** Nothing has come, and all that comes is taken. */
  clear: () => void;
}

/** A service whose mails go out into the world. @param isOfNote which of them are kept and met; all when not said */
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
