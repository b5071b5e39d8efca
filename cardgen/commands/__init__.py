"""The commands, one module each, over one production that alone knows the order of the stages."""
