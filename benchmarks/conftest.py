"""The cache and the profiles of the tests of `tests/`, for the tests of the benchmarks."""

from tests.conftest import _private_folders  # noqa: F401
