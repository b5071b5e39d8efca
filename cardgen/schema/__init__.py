"""JSON Schemas: what a value must be, whether it is, what to say if it is not, and its defaults."""
