SwaggerUIBundle({
  url: "schema/openapi.json",
  dom_id: "#page",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // Nothing is sent anywhere but to this server.
  validatorUrl: null,
});
