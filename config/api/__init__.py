"""The API's routes and description, the common format of its errors, and its promises to programs."""
