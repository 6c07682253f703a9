package config

// SimulatorName is the provider that is played inside the process: it needs neither key nor network, and its models are
// named after the faults they show.
const SimulatorName = "sim"
