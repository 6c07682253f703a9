import atexit
import collections
import json
import os
import re
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request
from types import TracebackType
from typing import Any, Deque, List, Mapping, Optional, Sequence, Type, Union, cast

from ._program import CallwrightError, program
from ._report import Report

_LISTENS = re.compile(r"callwright listens on (https?://\S+)")
_LOG_LINES = 200
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # the gateway is on this machine

Config = Union[str, "os.PathLike[str]", Mapping[str, Any]]


class Gateway:
    """A gateway that runs in a process of its own, until stop or the end of this process. Made by start."""

    url: str
    """Its address, such as ``http://127.0.0.1:43125``."""

    def __init__(self, process: "subprocess.Popen[str]", config: Optional[str]) -> None:
        self._process = process
        self._config = config  # a file of ours
        self._log: Deque[str] = collections.deque(maxlen=_LOG_LINES)
        self._listens = threading.Event()
        self._reader = threading.Thread(target=self._read, name="callwright-log", daemon=True)
        self._reader.start()
        self.url = ""

    @property
    def openai_base_url(self) -> str:
        """The base_url of OpenAI's SDK and of those that speak its API."""
        return self.url + "/v1"

    @property
    def anthropic_base_url(self) -> str:
        """The base_url of Anthropic's SDK."""
        return self.url

    @property
    def gemini_base_url(self) -> str:
        """The base_url in the http_options of Google's SDK."""
        return self.url

    @property
    def ollama_host(self) -> str:
        """The host of Ollama's SDK."""
        return self.url

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def log(self) -> List[str]:
        """The last lines that the gateway logged."""
        return list(self._log)

    def report(self, id: str, key: Optional[str] = None) -> Report:
        """The report with an id, which the header Callwright-Report of an answer has. key is one of the configuration's keys, where it has any."""
        request = urllib.request.Request(self.url + "/callwright/reports/" + id)
        if key is not None:
            request.add_header("Authorization", "Bearer " + key)
        with _DIRECT.open(request, timeout=30) as answer:
            return cast(Report, json.load(answer))

    def stop(self, timeout: float = 10.0) -> None:
        """Ends the gateway. Requests that are running have until the timeout, in seconds."""
        atexit.unregister(self.stop)
        if self._process.stdin is not None:
            self._process.stdin.close()  # by which the gateway shuts down
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        if self._config is not None:
            os.unlink(self._config)
            self._config = None

    def __enter__(self) -> "Gateway":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.stop()

    def _read(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as lines:
            for line in lines:
                self._log.append(line.rstrip("\n"))
                found = _LISTENS.search(line)
                if found and not self._listens.is_set():
                    self.url = found.group(1)
                    self._listens.set()
        self._listens.set()

    def _wait(self, until: float) -> None:
        """Waits until the gateway takes requests."""
        self._listens.wait(max(0.0, until - time.monotonic()))
        last = "it did not say where it listens"
        while self.url:
            if self._process.poll() is not None:
                break
            try:
                with _DIRECT.open(self.url + "/readyz", timeout=5):
                    return
            except urllib.error.HTTPError as e:
                last = e.read().decode("utf-8", "replace").strip()
            except OSError as e:
                last = str(e)
            if time.monotonic() > until:
                break
            time.sleep(0.02)
        ended = self._process.poll()
        self.stop(timeout=1)
        if ended is not None:
            last = f"it ended with exit status {ended}"
        raise CallwrightError("the gateway does not take requests: " + last + "\n" + "\n".join(self._log))


def start(
    config: Optional[Config] = None,
    *,
    env: Optional[Mapping[str, str]] = None,
    args: Sequence[str] = (),
    timeout: float = 30.0,
) -> Gateway:
    """Starts a gateway on a free port of this machine and waits until it takes requests.

    config is the path of a configuration, or its content as a dict. Without one the gateway uses the providers whose key variables are set, a local Ollama, and
    simulated models as ``sim/NAME``. env is added to the environment, args to the command line of ``callwright serve``. The gateway ends with stop, at the end of a
    with statement, and when this process ends in any way. Raises CallwrightError where it takes no request within the timeout, in seconds.
    """
    until = time.monotonic() + timeout
    command = [program(), "serve", "--listen", "127.0.0.1:0", "--log-format", "text", "--stop-with-stdin"]
    written = None
    if isinstance(config, Mapping):
        with tempfile.NamedTemporaryFile("w", suffix=".json", prefix="callwright-", encoding="utf-8", delete=False) as file:
            json.dump(config, file)
        config = written = file.name
    if config is not None:
        command += ["--config", os.fspath(config)]
    process = subprocess.Popen(
        command + list(args),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, **(env or {})},
        encoding="utf-8",
        errors="replace",
    )
    gateway = Gateway(process, written)
    atexit.register(gateway.stop)
    gateway._wait(until)
    return gateway
