"""Reads documents in a child process that has their bytes and nothing else.

`worker` is the app's side. All other modules run in the child: `child` takes the document, gives up what it has no
need of, and hands it to the module of its kind.
"""
