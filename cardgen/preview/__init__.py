"""`cardgen preview`: the workbench in a browser of this machine."""
