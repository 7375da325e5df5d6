"""The lobby, the lists of all tables and of tables to watch, and the page of a table (`table_page`).

It has no models: it shows the data of the apps below.
"""
