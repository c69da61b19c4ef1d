"""Fakes behind the doors that the front ends use: small, in memory, and scripted by what is said to them."""
