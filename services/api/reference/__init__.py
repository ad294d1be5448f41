"""What the OpenAPI document says about each route, beside the types that the code itself uses."""
