"""Rules for module flags across a build: `rules` has them as a table, `linter` applies them.

`profiles` groups inputs with equal flags, `faults` finds how inputs disagree on a key, `disagreements` which inputs to
change, `options` with which option of which compiler.  `traits` has the properties of a module that flags depend on.
"""
