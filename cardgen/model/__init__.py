"""The finished values that one stage hands to the next. All frozen, all lengths in mm."""
