#!/bin/sh
# Write requirements/*.txt again from pyproject.toml: names, versions and hashes for every platform and
# Python from 3.11 on, without addresses. Extras stay, or pip would look for them by itself. Needs `uv`
# (pip install uv). Run it from the top folder.
set -eu
pin() {
    output=$1
    shift
    uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-strip-extras \
        --no-emit-index-url --no-header --no-annotate --quiet "$@" --output-file "$output" >/dev/null
}
pin requirements/dev.txt --all-extras
pin requirements/grade.txt --extra arrays --extra grade
