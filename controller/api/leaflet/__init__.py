"""The rules that players read at a table, made of its configuration: what they say, and their page."""
