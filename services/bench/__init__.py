"""What the program is measured by. Each figure stands beside a baseline from the same run, since the
speed of a machine drifts and a ratio does not."""
