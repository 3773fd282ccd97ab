"""python3 verify_runs.py VERIFIER: runs it on the paths of each line of standard input, a JSON list, in this process.

Prints one line for each, with what a process of its own would have printed and ended with.
"""

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

place = Path(sys.argv[1])
sys.path.insert(0, str(place))
spec = spec_from_file_location("verifier", place / "__main__.py")
verifier = module_from_spec(spec)
spec.loader.exec_module(verifier)

for line in sys.stdin:
    stdout, stderr = io.StringIO(), io.StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        status = verifier.main(json.loads(line))
    print(json.dumps({"status": status, "stdout": stdout.getvalue(), "stderr": stderr.getvalue()}), flush=True)
