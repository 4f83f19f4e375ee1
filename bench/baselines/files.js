/** A Worker with only R2: it stores the body of a request under a new random key. */
export default {
  async fetch(request, { FILES }) {
    await FILES.put(crypto.randomUUID(), await request.arrayBuffer());
    return new Response('{"ok":true}', { headers: { "content-type": "application/json" } });
  },
};
