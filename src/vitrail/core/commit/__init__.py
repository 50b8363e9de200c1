"""Verdict and parent to a commit plan: kinds, names, slugs, manifests."""
