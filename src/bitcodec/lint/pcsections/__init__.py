"""Rules for the PC sections of objects and programs: `rules` has them as a table, `linter` applies them.

`inspected` is a file with its sections read as far as possible; `sections` checks how they are stored, `entries`
their contents, `requests` the requests of a module; `contents` counts bytes, by which two builds are compared.
"""
