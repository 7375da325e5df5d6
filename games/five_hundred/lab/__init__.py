"""The parts of 500 Rum besides playing: records of deals, and how players helped each other."""
