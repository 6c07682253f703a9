#!/bin/sh
# Debian calls it with "configure" and the version before, if there was one; RPM with the number of versions that are installed.
set -e
[ -d /run/systemd/system ] || exit 0
systemctl daemon-reload
if { [ "$1" = configure ] && [ -n "$2" ]; } || [ "$1" = 2 ]; then
  # The service that runs starts the new program and hands it the socket: no stream is dropped.
  pid=$(systemctl show -p MainPID --value callwright.service)
  [ "${pid:-0}" -eq 0 ] || kill -USR2 "$pid"
fi
