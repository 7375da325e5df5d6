"""Terms, privacy, imprint, responsible play: published by staff, accepted by players."""
