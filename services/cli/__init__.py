"""The command line `bohnanza`."""
