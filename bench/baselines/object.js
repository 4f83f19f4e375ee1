import { DurableObject } from "cloudflare:workers";

/** The minimal Durable Object: reads or writes one row of SQLite and responds. */
export class Row extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    ctx.storage.sql.exec("create table if not exists row (one integer primary key, json text not null)");
  }

  read() {
    return this.ctx.storage.sql.exec("select json from row").one().json;
  }

  write(json) {
    this.ctx.storage.sql.exec("insert or replace into row (one, json) values (1, ?)", json);
    return json;
  }
}

export default {
  async fetch(request, env) {
    const row = env.ROWS.getByName(new URL(request.url).pathname);
    const json = request.method === "PUT" ? await row.write(await request.text()) : await row.read();
    return new Response(json, { headers: { "content-type": "application/json" } });
  },
};
