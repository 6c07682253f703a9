#!/bin/sh
# Debian calls it with "remove", "purge" or another word; RPM with the number of versions that stay.
set -e
if [ "$1" = purge ]; then
  rm -rf /var/lib/private/callwright /var/lib/callwright
fi
[ ! -d /run/systemd/system ] || systemctl daemon-reload
