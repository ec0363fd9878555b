"""Rules for the PC sections of objects and programs: `rules` has them as a table, `linter` applies them.

`inspected` is a file with its sections read as far as they can be; `sections` checks how they are stored, `entries`
what they say, `requests` what a module wanted; `contents` counts bytes, by which two builds are compared.
"""
