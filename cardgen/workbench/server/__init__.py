"""`cardgen preview`: the workbench in a browser on this machine."""
