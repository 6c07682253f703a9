// Package toolfile reads tools from JSON files: commands and HTTP endpoints that a model may call.
//
// A file is one tool, a list of tools, or {"tools": [...]}. A tool is declared as OpenAI's API has it, in "function" or
// flat, and its "run" is the action of a call:
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
// A command gets the arguments as one line of JSON on its standard input. Its standard output is the output of the
// tool: a JSON value if it is exactly one, else text. Any exit status but 0 is TOOL_FAILED, with the end of standard
// error. No shell is involved. The environment of the command is PATH, the home and temporary folders, the variables
// that the system itself needs, and those that "env" lists; a value "env:NAME" is read from the environment when the
// file is read. "dir" is relative to the folder of the file; without it the command runs in the working folder of the
// program. On Unix, when the context of a command ends, all processes of its group are ended.
//
//	"run": {"url": "https://example.com/words", "method": "POST", "headers": {"Authorization": "env:COUNT_AUTH"}}
//
// An endpoint gets the arguments as the body of its request, one of GET as query parameters: those must be scalars, and
// null is left out. The body of an answer with a status in the 200s is the output, read as above; any other status is
// TOOL_FAILED. Redirects are followed on the same host alone.
//
// Beside "run" a tool may have these members:
//
//   - "timeout": the limit of one call;
//   - "effects": none, idempotent or destructive;
//   - "approve": never, once or always; whether a person approves calls first;
//   - "approve_if": a mapping of JSON pointers into the arguments to regular expressions. A person approves calls for
//     which all of them match. A pointer that leads nowhere does not match;
//   - "polling": true for calls that may be repeated;
//   - "run_argument": the argument that holds the id of the run.
package toolfile
