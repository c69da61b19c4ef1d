"""View-models in every state with sample data, for the gallery and for tests of views."""
