"""Changes files in place: changed parts are encoded with the numbers of the file, everything else is copied.

`copying` saves a module, `flag_changes` sets module flags alone.  `symbol_changes` and `metadata_changes` find the
parts that no longer match the module; `file_numbers` and `file_metadata` contain the numbers that the file uses.  This
package uses the reader and the writer, which do not know each other.
"""
