#!/bin/sh
# Debian calls it with "remove" or "upgrade"; RPM with the number of versions that stay.
set -e
[ -d /run/systemd/system ] || exit 0
if [ "$1" = remove ] || [ "$1" = 0 ]; then
  systemctl disable --now callwright.socket callwright.service
fi
