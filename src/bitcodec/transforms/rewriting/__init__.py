"""Instructions replaced, copied, merged, moved, erased, with what is attached to them kept right by rule."""
