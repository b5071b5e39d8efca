"""The stages in their order and their stored results, which several commands share."""
