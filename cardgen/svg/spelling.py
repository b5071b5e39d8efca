"""Names of attributes and properties: which there are, and what a misspelt one was meant to be."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.svg.names import names

TEXT, SPAN, ANY = names("text"), names("tspan"), frozenset[str]()
OWN = {
    **dict.fromkeys(names("cg:fit cg:group cg:last-line cg:min-size cg:steps cg:max-width"), TEXT),
    **dict.fromkeys(names("cg:valign cg:hyphens cg:decor"), TEXT),
    **dict.fromkeys(names("cg:paragraph-space cg:item-space cg:list-indent"), TEXT),
    **dict.fromkeys(names("cg:block cg:bullet cg:level cg:icon cg:sample cg:typed"), SPAN),
    **dict.fromkeys(names("cg:at cg:snap"), ANY),
    **dict.fromkeys(names("cg:align cg:as cg:columns cg:each cg:field"), ANY),
    **dict.fromkeys(names("cg:fill cg:if cg:step cg:stroke"), ANY),
}
"""cardgen's own attributes, and the elements that they are for."""
OWN_WORDS = {"cg:decor": names("true false")}
"""What they may be, where nothing but reading them says so."""

_SVG = names(
    "alignment-baseline amplitude azimuth baseFrequency baseline-shift bias class clip clip-path "
    "clip-rule clipPathUnits color color-interpolation color-rendering cx cy d diffuseConstant direction "
    "display divisor dominant-baseline dx dy edgeMode elevation exponent fill fill-opacity fill-rule "
    "filter filterUnits flood-color flood-opacity font font-family font-feature-settings font-kerning "
    "font-size font-size-adjust font-stretch font-style font-variant font-variant-caps "
    "font-variation-settings font-weight fr fx fy gradientTransform gradientUnits height href hyphens id "
    "image-rendering in in2 inline-size intercept isolation k1 k2 k3 k4 kernelMatrix kernelUnitLength "
    "lengthAdjust letter-spacing lighting-color limitingConeAngle line-height marker marker-end "
    "marker-mid marker-start markerHeight markerUnits markerWidth mask mask-type mix-blend-mode mode "
    "numOctaves offset opacity operator order orient overflow paint-order pathLength patternContentUnits "
    "patternTransform patternUnits pointer-events points pointsAtX pointsAtY pointsAtZ preserveAlpha "
    "preserveAspectRatio primitiveUnits r radius refX refY result rotate rx ry scale seed shape-inside "
    "shape-margin shape-padding shape-rendering shape-subtract slope solid-color solid-opacity "
    "specularConstant specularExponent spreadMethod stdDeviation stitchTiles stop-color stop-opacity "
    "stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit "
    "stroke-opacity stroke-width style surfaceScale systemLanguage tabindex tableValues targetX targetY "
    "text-align text-align-last text-anchor text-decoration text-indent text-orientation text-overflow "
    "text-rendering text-transform textLength title transform transform-box transform-origin type "
    "unicode-bidi values vector-effect version viewBox visibility white-space width word-break "
    "word-spacing writing-mode x x1 x2 xChannelSelector y y1 y2 yChannelSelector z zoomAndPan"
)
_LEAST, _MOST = 3, 40
"""Characters of a name that is looked at: shorter ones are near to too many."""


def meant(name: str) -> str | None:
    """The name that one was meant to be which is not a name itself: one that begins alike and differs by
    a letter, by two changed about, or by capitals; one of cardgen's own without its `cg:`. None for any
    other."""
    prefix, colon, bare = name.rpartition(":")
    if name in _SVG or name in OWN or prefix not in ("", "cg") or len(bare) > _MOST:
        return None
    if not colon and (len(bare) < _LEAST or f"cg:{bare}" in OWN):
        return f"cg:{bare}" if f"cg:{bare}" in OWN else None
    near = _NEAR_OWN if prefix == "cg" else _NEAR
    found = (near[key] for key in _keys(bare.casefold()) if key in near)
    return next((other for other in found if other.rpartition(":")[2][0] == bare[0].lower()), None)


def _keys(word: str) -> Iterator[str]:
    """The word, and it without each of its letters: words that share one differ by a letter or two."""
    yield word
    for index in range(len(word)):
        yield word[:index] + word[index + 1 :]


_NEAR_OWN = {key: name for name in sorted(OWN) for key in _keys(name[3:])}
_NEAR = _NEAR_OWN | {
    key: name for name in sorted(_SVG) if len(name) > _LEAST for key in _keys(name.casefold())
}
