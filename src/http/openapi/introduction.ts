export const introduction = `Send the transport order you received, as the file it came in, and get it back as data with the evidence for every value.

**Who you are** is said with a key: \`X-Api-Key\`, HTTP Basic, or a bearer token from \`POST /oauth2/token\`. Every record belongs to the company of the key; the id of another company's record answers 404.

**Media type**: every JSON answer is \`application/json; x-api-version=1.0\`. A request may name the version in its media type, in the header \`x-api-version\`, or not at all.

**Errors** are RFC 9457 problems with an \`errorCode\` for programs and, when a body or a query is not valid, an \`errors\` array that names every wrong field. [Every code, and what to do about it](/docs/errors).

**Long work** is answered 202 at once; \`Prefer: wait=N\` holds the answer until the work is done. Or subscribe to a webhook.

**Repeating**: every POST takes an \`Idempotency-Key\`. **Versions**: what is read carries an \`ETag\` for \`If-None-Match\` and \`If-Match\`. Fields and enumeration values may be added; ignore what you do not know.`;
