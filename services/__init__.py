"""What runs: the API, the command line, and the use cases that they share."""
