package config

// SimulatorName is the name of the provider that simulates models inside this process. It needs no key and no network.
// Its models are named after the faults that they simulate, such as sim/hermes-unclosed.
const SimulatorName = "sim"
