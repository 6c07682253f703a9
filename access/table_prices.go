package access

// free are the providers whose servers run on the own machine, and the simulator.
var free = []string{"ollama", "ollama-openai", "vllm", "llamacpp", "lmstudio", "sglang", "tgi", "sim"}

// samePrices are providers that are another surface of one.
var samePrices = map[string]string{"openai-responses": "openai", "gemini-openai": "gemini", "minimax-openai": "minimax"}

var shippedPrices = map[string]map[string]Price{}
