"""The control endpoint on this system: Unix sockets; Windows has none yet and says so."""
