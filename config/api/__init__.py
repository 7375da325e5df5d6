"""The API's routes and description, the common form of its errors, and what it promises programs."""
