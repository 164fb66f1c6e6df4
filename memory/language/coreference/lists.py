"""Word lists as they are written in this package: words with white space between."""


def words(listing: str) -> frozenset[str]:
    """The words of a listing."""
    return frozenset(listing.split())
