"""Templates without code: a drawing whose objects are named, as the template that fills them in."""

from cardgen.rendering.named.translating import Translation, translated

__all__ = ["Translation", "translated"]
