"""A program with a gateway is killed: the gateway ends, too."""

import os
import signal
import subprocess
import sys
import time

child = subprocess.Popen(
    [sys.executable, "-c", "import callwright, time\ng = callwright.start({'providers': {'sim': {}}})\nprint(g.pid, flush=True)\ntime.sleep(600)"],
    stdout=subprocess.PIPE,
    text=True,
)
gateway = int(child.stdout.readline())
child.send_signal(signal.SIGKILL)
child.wait()
until = time.monotonic() + 60
while time.monotonic() < until:
    try:
        with open(f"/proc/{gateway}/stat") as f:
            if f.read().rsplit(")", 1)[1].split()[0] == "Z":  # nobody waits for it here
                break
    except FileNotFoundError:
        break
    time.sleep(0.02)
else:
    os.kill(gateway, signal.SIGKILL)
    sys.exit("it runs on")
print("ended")
