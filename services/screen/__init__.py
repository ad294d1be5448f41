"""A recorded game on the terminal: step by step, there and back, as any viewer. Needs no server and no database."""
