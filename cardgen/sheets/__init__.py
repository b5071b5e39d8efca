"""Where everything lies on the paper, in mm."""
