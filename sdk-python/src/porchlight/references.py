"""Scoped references: a container, a semicolon, and the ID or alias of what is directly in it (`env_…;kitchen;lamp`)."""

from __future__ import annotations

import re
import unicodedata

# Characters that no alias can have, because they have a meaning in a reference or an address.
_FORBIDDEN = re.compile(r"[;/?#%\x00-\x1f\x7f-\x9f]")
_LONGEST = 128


def ref(*parts: str) -> str:
    """A reference from the outside in: `ref(environment_id, "lamp")`.

    Only the first part must be an ID, because an alias is reached through its container. Raises ValueError for a part
    that cannot be an ID or alias, so that what a person typed never leads elsewhere.
    """
    if not parts:
        raise ValueError("A reference has at least one part.")
    for part in parts:
        is_bare = part == part.strip().strip("\ufeff")
        if part == "" or not is_bare or _FORBIDDEN.search(part) or len(part) > _LONGEST:
            raise ValueError(f"{part!r} is no ID and no alias.")
    return ";".join(unicodedata.normalize("NFC", part) for part in parts)
