"""Import what opens windows or browsers, or is not there: told by name and line.

must: no points; not loaded
from level: 1
"""
import antigravity
import torch

antigravity.webbrowser.open("x")
torch.tensor([1.0])
