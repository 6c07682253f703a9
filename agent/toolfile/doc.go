// Package toolfile reads tools from JSON files: commands and HTTP endpoints that a model may call.
//
// A file contains one tool, a list of tools, or {"tools": [...]}. A tool has the members of OpenAI's function tools, in
// an object "function" or directly. The member "run" is the command or the endpoint:
//
//	{
//	  "name": "count_words",
//	  "description": "Counts the words of a text",
//	  "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
//	  "run": {"command": ["wordcount", "--json"], "env": {"LANG": "C", "TOKEN": "env:COUNT_TOKEN"}, "dir": "work"},
//	  "timeout": "30s",
//	  "effects": "none"
//	}
//
// A command receives the arguments as one line of JSON on its standard input. Its standard output is the output of the
// tool: a JSON value if it is exactly one, otherwise text. An exit status other than 0 is TOOL_FAILED, with the end of
// standard error as the message. No shell is involved. The environment of the command has PATH, the home and temporary
// folders, the variables that the system needs, and the variables in "env". A value "env:NAME" in "env" is replaced by
// the variable NAME when the file is read. "dir" is relative to the folder of the file; the default is the working
// folder of the process. On Unix, the whole process group of the command is killed when the context of the call is
// done.
//
//	"run": {"url": "https://example.com/words", "method": "POST", "headers": {"Authorization": "env:COUNT_AUTH"}}
//
// An endpoint receives the arguments as the JSON body of its request. GET sends them as query parameters: they must be
// scalars, and null values are omitted. The body of a 2xx response is the output, parsed like the output of a command.
// Any other status is TOOL_FAILED. Redirects are followed only on the same host.
//
// A tool may also have these members:
//
//   - "timeout": the time limit of one call, such as "30s";
//   - "effects": none, idempotent or destructive;
//   - "approve": never, once or always: whether a person must approve calls;
//   - "approve_if": an object of JSON pointers into the arguments and regular expressions. A person must approve the
//     calls for which all expressions match. A pointer to a missing value does not match;
//   - "polling": true if the model may repeat equal calls;
//   - "run_argument": the argument that the agent sets to the id of the run.
package toolfile
