"""Settings of a local run, of production and of tests, and the schedule of periodic jobs."""
