"""Upgrades of records, before parts of the model are made of them; `bitcodec.upgrade` has those of the model."""
