"""The separate data sets on this computer: create, open, rename, delete, recover."""
