import os
import sys
import sysconfig
from typing import Iterator


class CallwrightError(Exception):
    """The program is not there, did not start, or refused its input. The message says what to do."""


def program() -> str:
    """The path of the program: the one that the variable CALLWRIGHT_PROGRAM names, else that of this package.

    Raises CallwrightError where it is not installed.
    """
    named = os.environ.get("CALLWRIGHT_PROGRAM")
    if named:
        return named
    tried = []
    for folder in _folders():
        path = os.path.join(folder, "callwright" + (sysconfig.get_config_var("EXE") or ""))
        if os.path.isfile(path):
            return path
        tried.append(path)
    raise CallwrightError(
        "the program callwright is not installed beside the module: install the wheel of this platform, "
        "or name the program by CALLWRIGHT_PROGRAM; looked for " + ", ".join(tried)
    )


def _folders() -> Iterator[str]:
    """Where installers put scripts: of the environment, of its base, of the user, and beside the module for --target and --prefix."""
    yield sysconfig.get_path("scripts")
    yield sysconfig.get_path("scripts", vars={"base": sys.base_prefix})
    yield sysconfig.get_path("scripts", scheme=_user_scheme())
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    yield os.path.join(here, "bin")
    yield os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(here))), "bin")


def _user_scheme() -> str:
    if sys.version_info >= (3, 10):
        return sysconfig.get_preferred_scheme("user")
    if os.name == "nt":
        return "nt_user"
    if sys.platform == "darwin" and getattr(sys, "_framework", None):
        return "osx_framework_user"
    return "posix_user"
