"""The HTTP interface: routes, problems, the OpenAPI document and its page."""
