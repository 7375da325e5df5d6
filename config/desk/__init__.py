"""The administration's first page, navigation by work, search and alerts."""
