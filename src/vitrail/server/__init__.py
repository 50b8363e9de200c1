"""The server: app composition, settings, routes, event streams, the preview site."""
