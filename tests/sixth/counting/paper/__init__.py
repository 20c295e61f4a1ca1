"""The claims of the sixth instrument's paper."""
