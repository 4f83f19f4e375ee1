const headers = { "content-type": "application/json" };

/**
 * A Worker that responds as fast as possible: without routing, API key or storage. `GET /logged` writes one log line, as the
 * product does.
 */
export default {
  fetch(request) {
    if (request.url.endsWith("/logged")) console.log(JSON.stringify({ ...line, at: new Date().toISOString() }));
    return new Response('{"ok":true}', { headers });
  },
};

const id = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77";
const line = {
  at: "",
  what: "request",
  requestId: id,
  method: "GET",
  operation: "orders.read",
  company: id,
  status: 200,
  milliseconds: 1,
};
