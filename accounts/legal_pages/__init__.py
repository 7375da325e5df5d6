"""The versions of the terms and other legal pages, and players' acceptance of them."""
