"""The routes, one file per resource: read the request, ask one use case, write the answer."""
