"""Commands that write files to print, cut, play and upload."""
