"""The course as an installed folder: `ROOT` holds course.toml, exercises/, graders/ and solutions/."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent
