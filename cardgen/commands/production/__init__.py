"""What several commands share: the stages in their order, and the results they keep."""
