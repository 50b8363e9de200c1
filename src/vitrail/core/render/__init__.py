"""Revision to render plan: preview document, policy, kinds."""
