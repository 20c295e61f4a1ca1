"""With this folder on PYTHONPATH every new interpreter, worker and kernel finds one more instrument."""

from pathlib import Path

import cogkit

cogkit.__path__.append(str(Path(__file__).parent))
