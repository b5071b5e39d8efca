"""How colours look: in CIELAB, to eyes that lack one kind of cones, and how far they are apart."""
