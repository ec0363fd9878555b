"""The door for packages that construct parts of a module: the reader, upgrades and the builder.

These functions check nothing, enter no names and materialize nothing: their callers have checked the data.  Together
they must leave the model consistent, so that each operand of a user is an entry in the list of uses of that operand.
The first group returns only existing parts.  Compiled loops call C functions of the same
names, from `present.pxd` and `copies.pxd`.
"""
