#!/bin/sh
# Opens the start page of cardgen for the folder Games.
PATH="$HOME/.local/bin:$PATH"
mkdir -p "$HOME/Games" && cd "$HOME/Games" && exec cardgen preview --open
