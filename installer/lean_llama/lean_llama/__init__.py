"""Puts a CMake module on the path of builds that use scikit-build-core."""
