/** R2 alone: the body of a PUT is put away under a key nobody has used. */
export default {
  async fetch(request, { FILES }) {
    await FILES.put(crypto.randomUUID(), await request.arrayBuffer());
    return new Response('{"ok":true}', { headers: { "content-type": "application/json" } });
  },
};
