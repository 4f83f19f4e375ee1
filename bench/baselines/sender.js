import { DurableObject } from "cloudflare:workers";

/** The minimal sender: sends the same body to the same address `count` times, six requests at a time. */
export class Sender extends DurableObject {
  async send(url, body, count) {
    let left = count;
    const send = async () => {
      while (left-- > 0) await (await fetch(url, { method: "POST", body })).arrayBuffer();
    };
    await Promise.all(Array.from({ length: 6 }, send));
  }
}

export default {
  /** `POST /{objects}/{count}?to={url}`: each of `objects` objects sends the body `count` times. */
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    const [objects, count] = pathname.slice(1).split("/").map(Number);
    const body = await request.text();
    const sent = Array.from({ length: objects }, (_, name) =>
      env.SENDERS.getByName(`${name}`).send(`${searchParams.get("to")}/${name}`, body, count),
    );
    await Promise.all(sent);
    return new Response("sent");
  },
};
