"""The parts that the analyses of finished deals share."""
