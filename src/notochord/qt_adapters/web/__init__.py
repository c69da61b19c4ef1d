"""Shows pages of gems with the browser engine. Nothing of it is loaded before the first page is opened."""
