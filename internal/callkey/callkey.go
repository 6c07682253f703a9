// Package callkey has the member names that models use in the JSON object of a tool call.
package callkey

// The member names, most preferred first. They must not be modified.
var (
	Names = []string{"name", "tool_name", "function_name", "tool", "function", "action", "recipient_name", "api_name", "api",
		"func", "call", "TOOL_NAME"}
	Arguments = []string{"arguments", "parameters", "args", "input", "params", "tool_input", "action_input", "kwargs",
		"tool_arguments", "param", "inputs"}
)
