"""Rules of this project that no tool has: one rule a file, one ordered table in `table`.

Each rule is a function from a tree (a folder laid out as this repository is) to the breaches in
it, so that a test can plant a breach in a small tree and see the rule find it.
"""
