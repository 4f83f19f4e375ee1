export const introduction = `Send a transport order as the file in which you received it, and get its data, with evidence for every value.

**Authentication**: send a key in \`X-Api-Key\` or with HTTP Basic, or a bearer token from \`POST /oauth2/token\`. Every record belongs to the company of the key; the id of another company's record returns 404.

**Media type**: every JSON response is \`application/json; x-api-version=1.0\`. A request may name the version in its media type, in the header \`x-api-version\`, or not at all.

**Errors** are RFC 9457 problems with an \`errorCode\` for programs. If a body or a query is not valid, the array \`errors\` names every wrong field. [All codes, with remedies](/docs/errors).

**Background processing**: such requests return 202 at once. \`Prefer: wait=N\` delays the response until processing is complete. Or subscribe to a webhook.

**Repeated requests**: every POST supports \`Idempotency-Key\`. **Versions**: a resource has an \`ETag\` for \`If-None-Match\` and \`If-Match\`. Fields and enumeration values may be added: ignore those that you do not know.`;
