"""How much one client may ask for, so that nobody takes the server from the others."""
