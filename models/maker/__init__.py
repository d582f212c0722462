"""Makes model folders in the Hugging Face layout: weights, ONNX graph, tokenizer, checks."""

import sys

if sys.version_info < (3, 11):  # the pinned packages need it
    sys.exit(f"needs Python 3.11 or newer, this is {sys.version.split()[0]}")
