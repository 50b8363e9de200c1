# Each target is one line to a script; the scripts say what they do.
.PHONY: run test soak fuzz bench check fix dev wheel
.DEFAULT_GOAL := run

run: ; @bash scripts/run.sh $(ARGS)
test: ; @bash scripts/test.sh $(ARGS)
soak: ; @bash scripts/soak.sh $(ARGS)
fuzz: ; @bash scripts/fuzz.sh $(ARGS)
bench: ; @bash scripts/bench.sh $(ARGS)
check: ; @bash scripts/check.sh $(ARGS)
fix: ; @bash scripts/fix.sh $(ARGS)
dev: ; @bash scripts/dev.sh $(ARGS)
wheel: ; @bash scripts/wheel.sh $(ARGS)
