#!/usr/bin/env bash
# Gradescope runs this once, while it builds the image. Choose a base image with Python 3.11 or newer.
set -eu
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "handgrad needs Python 3.11 or newer: choose a newer base image (Ubuntu 24.04) for this autograder" >&2
    exit 1
fi
modules="@MODULES@"
for module in $modules; do
    if ! python3 -c "import $module" 2> /dev/null; then
        apt-get update -qq
        apt-get install -y -qq --no-install-recommends "python3-$module"
    fi
done
