window.SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#contract",
  deepLinking: true,
  defaultModelExpandDepth: 2,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  docExpansion: "list",
  filter: true,
  persistAuthorization: true,
  showExtensions: false,
  tryItOutEnabled: false,
  validatorUrl: null,
});
