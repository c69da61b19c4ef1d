"""One folder per capability; no Qt, no network library, no process is started here."""
