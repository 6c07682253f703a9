#!/bin/sh
# Fails where a scenario does not end well. MODELS are provider/model, with commas between them; the default are simulated ones, which need no key.
set -eu
cd "$(dirname "$0")"
callwright eval --scenario-file scenarios.json --model "${MODELS:-sim/native,sim/hermes,sim/wrong_then_right}" --trials "${TRIALS:-3}" --html "${REPORT:-report.html}"
