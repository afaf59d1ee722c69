# handgrad's commands. `make` alone lists them. Nothing here is needed to use handgrad: see README.md.
#   PYTHON=python3.12      another Python     EX=slug   one exercise, or several in quotes
#   SUBMISSION=path        another file       ALL=1     exercises not started, too

SHELL = /bin/sh
.DEFAULT_GOAL := help
COMMANDS := help ask ask-venv one setup check watch hint reset progress start release autograde feedback export \
    validate collect demo grade new doctor web serve test lint bench clean
.PHONY: $(COMMANDS)

PYTHON ?= python3
NAMED := $(filter-out file default undefined,$(origin PYTHON))
export PYTHONPATH := $(CURDIR)/src

# `make hint stack` means `make hint EX=stack`; so does the folder, as a shell completes it.
OTHERS := $(filter-out $(COMMANDS) .venv/ready .venv/grade-ready,$(MAKECMDGOALS))
NAMES := $(notdir $(patsubst %/,%,$(dir $(wildcard exercises/*/exercise.toml))))
SLUGS := $(filter $(foreach name,$(NAMES),$(name) $(name)/ exercises/$(name) exercises/$(name)/ exercises/$(name)/solution.py),$(OTHERS))
SLUGS := $(if $(filter new,$(MAKECMDGOALS)),$(OTHERS),$(SLUGS))
UNKNOWN := $(filter-out $(SLUGS),$(OTHERS))
ifneq ($(UNKNOWN),)
$(error there is no command or exercise `$(firstword $(UNKNOWN))`: `make help` lists the commands)
endif
ifneq ($(SLUGS),)
ifeq ($(filter $(COMMANDS),$(MAKECMDGOALS)),)
$(error say what to do with it, as in `make check $(firstword $(SLUGS))`)
endif
ifneq ($(filter-out $(SLUGS),$(EX)),)
$(error both `$(SLUGS)` and EX=$(EX) are named: leave one of them out)
endif
EX := $(SLUGS)
.PHONY: $(SLUGS)
$(SLUGS): $(filter $(COMMANDS),$(MAKECMDGOALS)) ; @:
endif

quote = '$(subst ','\'',$(1))'
VENV := .venv/bin/python
# What runs a command that needs nothing installed: the virtual environment once there is one, since with it
# the sandbox is stronger, unless another Python was named.
CORE := $(if $(NAMED),$(call quote,$(PYTHON)),$(if $(wildcard .venv/grade-ready),$(VENV),$(call quote,$(PYTHON))))
# The same for commands that run a learner's file: where that needs NumPy and there is none, .venv is made first.
with_numpy = python=$(CORE); \
	if $(CORE) tools/lacks_numpy.py $(1); then \
	    $(MAKE) --no-print-directory .venv/grade-ready || exit; python=$(VENV); \
	fi; \
	"$$python"
INSTALL := $(VENV) -m pip install --quiet --disable-pip-version-check

help: ## list these commands
	@echo 'usage: make COMMAND [EX=slug]'
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "  %-10s %s\n", $$1, $$2 }' Makefile

ask:
	@command -v $(CORE) >/dev/null || { echo "there is no $(PYTHON) here: install Python 3.11 or newer, or name yours, as in \`make check PYTHON=python3.12\`" >&2; exit 2; }
	@$(CORE) tools/python_ready.py

ask-venv:
	@command -v $(call quote,$(PYTHON)) >/dev/null || { echo "there is no $(PYTHON) here: install Python 3.11 or newer, or name yours, as in \`make test PYTHON=python3.12\`" >&2; exit 2; }
	@$(call quote,$(PYTHON)) tools/python_ready.py --venv

one:
	@$(if $(filter 1,$(words $(EX))),,echo 'say which exercise, as in `make $(firstword $(MAKECMDGOALS)) EX=scalar_engine`' >&2; exit 2)

# Both are made once; only newer pins make them again.
.venv/ready: requirements/dev.txt
	@$(MAKE) --no-print-directory ask-venv
	@echo "setting up .venv once, with Jupyter, nbgrader, NumPy and the tests' tools: a few minutes ..." >&2
	@$(call quote,$(PYTHON)) -m venv .venv
	@$(INSTALL) --require-hashes -r requirements/dev.txt
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch .venv/grade-ready .venv/ready

.venv/grade-ready: requirements/grade.txt
	@$(MAKE) --no-print-directory ask-venv
	@echo "setting up .venv once, with NumPy and the sandbox ..." >&2
	@$(call quote,$(PYTHON)) -m venv .venv
	@$(INSTALL) --require-hashes -r requirements/grade.txt
	@touch .venv/grade-ready

setup: .venv/ready ## make .venv with everything; any command that needs it does this by itself

# ---- learners

check: ask ## check your work: all exercises you started, or EX=slug
	@$(call with_numpy,$(if $(ALL),--all) $(EX)) -m handgrad check $(EX) $(if $(SUBMISSION),--submission $(call quote,$(SUBMISSION))) $(if $(ALL),--all) $(ARGS)

watch: ask ## check each time you save
	@$(call with_numpy,$(EX)) -m handgrad watch $(EX) $(ARGS)

hint: ask ## the next hint, EX=slug
	@$(call with_numpy,$(EX)) -m handgrad hint $(EX) $(ARGS)

reset: one ask ## the starter back, EX=slug; your file is kept
	@$(CORE) -m handgrad reset $(EX) $(ARGS)

progress: ask ## the road map with your marks
	@$(CORE) -m handgrad progress $(ARGS)

start: one ask ## begin EX=slug, taking your own class along
	@$(call with_numpy,$(EX)) -m handgrad start $(EX) $(ARGS)

# ---- instructors

release: .venv/ready ## student notebooks and bundles
	@$(VENV) -m handgrad release $(EX) $(ARGS)

collect: one .venv/ready ## take what was handed in, EX=slug
	@$(VENV) -m handgrad collect $(EX) $(ARGS)

autograde: one .venv/ready ## grade the notebooks handed in, EX=slug
	@$(VENV) -m handgrad autograde $(EX) $(ARGS)

feedback: one .venv/ready ## write the feedback, EX=slug
	@$(VENV) -m handgrad feedback $(EX) $(ARGS)

export: .venv/ready ## write the grades as CSV, all or EX=slug
	@$(VENV) -m handgrad export $(EX) $(ARGS)

validate: one .venv/ready ## run the source notebook as nbgrader's validate does, EX=slug
	@$(VENV) -m handgrad validate $(EX) $(ARGS)

grade: one .venv/grade-ready ## grade a folder: EX=slug SUBMISSIONS=folder
	@$(VENV) -m handgrad grade $(EX) $(call quote,$(or $(SUBMISSIONS),submissions)) $(ARGS)

demo: .venv/ready ## a class of invented submissions, from release to feedback
	@$(VENV) -m handgrad demo $(ARGS)

# ---- authors and developers

new: one ask ## write the first files of an exercise, EX=slug
	@$(CORE) -m handgrad new $(EX) $(ARGS)

doctor: .venv/grade-ready ## prove the course sound, or only EX=slug
	@$(VENV) -m handgrad doctor $(EX) $(ARGS)

web: ask ## build the page, with all exercises (needs Node.js)
	@$(CORE) -m handgrad page --reveal $(ARGS)

serve: ask ## build the page and serve it on this machine
	@$(CORE) -m handgrad page --reveal --serve $(ARGS)

test: .venv/ready ## the kit's own tests, with coverage; ARGS='-k word' for some
	@$(VENV) -m pytest -p no:handgrad --numprocesses=auto $(if $(ARGS),$(ARGS),--cov --cov-report=term)

lint: .venv/ready ## ruff and mypy
	@$(VENV) -m ruff check .
	@$(VENV) -m ruff format --check .
	@$(VENV) -m mypy

bench: .venv/ready ## the benchmarks
	@for script in benchmarks/*.py; do $(VENV) "$$script" || exit; done

clean: ## remove what was built here; your work, hand-ins and grades stay
	@rm -rf .venv build dist web/dist web/node_modules tools/workflows/node_modules notebooks/source \
	    notebooks/release .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.*
	@[ ! -e demo/.handgrad-demo ] || rm -rf demo
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
