"""Instructions replaced, copied, merged, moved, erased, with their metadata kept right by rule."""
