"""Pure rules of tournaments: formats, brackets, payouts, the life cycle and schedules."""
