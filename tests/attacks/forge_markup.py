"""Terminal codes, HTML, XML, Markdown and CI commands in prints, messages and class names.

must: no points
from level: 1
"""
NASTY = (
    "\x1b[2J\x1b[1;1H\x1b]0;owned\x07\x9b31m<script>alert(1)</script><img src=x onerror=alert(1)>&lt;]]><!--"
    "\n::error file=x::owned\n::add-mask::a\n::stop-commands::x\n##[group]x\n```\n# owned\n|a|b|\n"
    "[x](javascript:alert(1))\r\n</failure></testcase><testcase name='all'/>"
)
print(NASTY)


class Value:
    def __init__(self, data, _prev=()):
        raise type("<b>Owned\n::error::</b>", (ValueError,), {})(NASTY)
