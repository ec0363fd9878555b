"""Tests of `bitcodec.corpus`; a folder of that name would hide `corpus.py`, which knows where the shared corpus is."""
