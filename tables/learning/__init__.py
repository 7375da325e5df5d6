"""The guided first deal, the rule pages and the guides."""
