"""What the wheel of the engine has besides `games`."""
