/** A Worker with only D1: `PUT /rows/ID` stores a row, `GET /rows/ID` reads it by its key, `GET /rows` reads the newest fifty. */
export default {
  async fetch(request, { ARCHIVE }) {
    const id = new URL(request.url).pathname.slice("/rows/".length);
    if (request.method === "PUT") {
      await ARCHIVE.exec("create table if not exists rows (id text primary key, json text not null) without rowid");
      await ARCHIVE.prepare("insert or replace into rows values (?, ?)")
        .bind(id, await request.text())
        .run();
      return new Response(null, { status: 204 });
    }
    return json(id ? await one(ARCHIVE, id) : await fifty(ARCHIVE));
  },
};

const one = async (archive, id) => (await archive.prepare("select json from rows where id = ?").bind(id).first()).json;

async function fifty(archive) {
  const { results } = await archive.prepare("select json from rows order by id desc limit 50").all();
  return `[${results.map((row) => row.json).join()}]`;
}

const json = (text) => new Response(text, { headers: { "content-type": "application/json" } });
