"""Replace the encoder and the decoder that the worker speaks with.

must: no points
from level: 1
"""
### STARTER ###

import json

json.dumps = lambda *a, **k: '[1,"ok",true]'
json.loads = lambda *a, **k: [1, "begin", 0]
json.JSONEncoder.encode = lambda self, o: '[1,"ok",true]'
json.encoder.c_make_encoder = None
json.encoder.encode_basestring_ascii = lambda s: '"ok"'
json.decoder.scanner.c_make_scanner = None
