/** R2 alone: stores the body of a PUT under a new random key. */
export default {
  async fetch(request, { FILES }) {
    await FILES.put(crypto.randomUUID(), await request.arrayBuffer());
    return new Response('{"ok":true}', { headers: { "content-type": "application/json" } });
  },
};
