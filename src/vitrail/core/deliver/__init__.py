"""Payload and channel rules to what is sent."""
