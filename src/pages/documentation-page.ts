/**
 * Renders a static page of the documentation.
 * @param main HTML of the content
 */
export const documentationPage = (title: string, main: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} · Lorry API</title>
    <link rel="icon" href="/docs/lorry.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/docs/docs.css" />
  </head>
  <body>
    <header>
      <a class="name" href="/docs"><img src="/docs/lorry.svg" alt="" width="28" height="28" />Lorry</a>
      <nav aria-label="Documentation">
        <a href="/docs/guides">Guides</a>
        <a href="/docs/errors">Errors</a>
        <a href="/openapi.json">OpenAPI 3.1</a>
      </nav>
    </header>
    <main class="prose">
${main}
    </main>
  </body>
</html>
`;
