"""The pages that bring it all together: the lobby, all tables, tables to watch, and the page of a table (`table_page`).

It has no models: it shows what the apps below hold.
"""
