"""Pictures made of pixels: what their files say, whether all of it is there, and their colours."""
