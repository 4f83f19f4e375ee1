/** The floor of every request: no routing, no key, no storage. */
export default {
  fetch: () => new Response('{"ok":true}', { headers: { "content-type": "application/json" } }),
};
