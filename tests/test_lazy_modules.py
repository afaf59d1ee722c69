"""A package may load its parts at their first use: a locked worker has them already."""

from __future__ import annotations

import pytest

from handgrad.judge.proxy import Link
from handgrad.judge.session import imports_of
from handgrad.model import Limits
from handgrad.sandbox.starter import open_starter


def test_what_a_file_may_mean_by_a_module_is_imported_beforehand() -> None:
    """`np.random` after `import numpy as np` can be a module; `x.random` of anything else cannot."""
    text = "import numpy as np\nimport os.path\nfrom xml import dom\nx = np.random.rand(3).sum()\nx.ma\n"

    assert imports_of(text) == ("numpy", "os.path", "xml", "xml.dom", "numpy.random")


@pytest.mark.parametrize("level", [None, 0, 1])
@pytest.mark.parametrize(
    "words", ["np.random.default_rng(0).random(3).sum()", "np.ma.masked_array([1.0], [False]).sum()"]
)
def test_a_part_of_numpy_works_in_a_locked_worker(level: int | None, words: str) -> None:
    """Nothing can be opened there any more, and nothing needs to be."""
    text = f"import numpy as np\n\ndef answer():\n    return {words}\n"
    with open_starter(level, preload=("numpy",)) as starter:
        link = Link(starter.start(Limits(), imports=imports_of(text), probes=()))
        link.load({"solution.py": text}, ("numpy",))

        answer = link.name("answer")()
        link.channel.kill()

    assert answer > 0.0


@pytest.mark.parametrize("plain", [False, True])
def test_a_part_of_a_package_can_be_preloaded(plain: bool) -> None:
    """`preload` may name a part: the package's own folder is what is needed for it."""
    text = "import numpy.random\n\ndef answer():\n    return numpy.random.rand()\n"
    with open_starter(1, preload=("numpy", "numpy.random"), plain=plain) as starter:
        links = [Link(starter.start(Limits(), imports=imports_of(text), probes=())) for _ in range(2)]
        for link in links:
            link.load({"solution.py": text}, ("numpy", "numpy.random"))

        answers = [link.name("answer")() for link in links]
        for link in links:
            link.channel.kill()

    assert answers[0] == answers[1]
