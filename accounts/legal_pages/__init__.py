"""Terms and other legal pages in their versions, and players' acceptance of them."""
