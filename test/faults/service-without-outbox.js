import { DurableObject } from "cloudflare:workers";

/** Webhooks as they are often implemented: the service stores a change, responds to the caller, and then notifies the receivers. */
export class Company extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    ctx.storage.sql.exec(`
      create table if not exists listeners (url text primary key);
      create table if not exists orders (id text primary key, version integer not null)`);
  }

  listen(url) {
    this.ctx.storage.sql.exec("insert or ignore into listeners (url) values (?)", url);
  }

  change(orderId) {
    const { version } = this.ctx.storage.sql
      .exec(
        "insert into orders (id, version) values (?, 1) on conflict do update set version = version + 1 returning version",
        orderId,
      )
      .one();
    const body = JSON.stringify({
      id: crypto.randomUUID(),
      eventType: "Changed",
      sequence: version,
      resource: { id: orderId },
    });
    for (const { url } of this.ctx.storage.sql.exec("select url from listeners").toArray())
      this.ctx.waitUntil(told(url, body));
    return version;
  }
}

/** Repeats the request until it is accepted or the process ends. */
async function told(url, body) {
  for (;;) {
    const signal = AbortSignal.timeout(500);
    const taken = await fetch(url, { method: "POST", body, signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (taken) return;
    await scheduler.wait(200);
  }
}

export default {
  async fetch(request, env) {
    const company = env.COMPANIES.getByName("one");
    const [, , , things, name, act] = new URL(request.url).pathname.split("/");
    const { callbackUrl, orderNumber } = request.method === "GET" ? {} : await request.json();
    if (things === "webhooks" && !act) await company.listen(callbackUrl);
    if (things !== "orders") return Response.json({ subscriptionId: callbackUrl });
    const orderId = name === "upsert" ? orderNumber : name;
    return Response.json({ orderId }, { headers: { etag: `"${await company.change(orderId)}"` } });
  },
};
