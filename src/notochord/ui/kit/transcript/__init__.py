"""The transcript of a conversation as one widget: `view.Transcript` shows entries, `entries` says what they are."""
