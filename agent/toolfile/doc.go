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
// A command gets the arguments as one line of JSON on its standard input. What it writes to its standard output is the
// output of the tool: a JSON value where it is exactly one, else text. Any exit status but 0 is TOOL_FAILED, with the
// end of what it wrote to standard error. No shell is involved. Of the environment it has PATH, the home and temporary
// folders, what the system itself cannot do without, and what "env" lists; a value "env:NAME" is read when the file is.
// "dir" is relative to the folder of the file; without it the command runs where the program does. On Unix a command
// whose context ends does so with all processes of its group.
//
//	"run": {"url": "https://example.com/words", "method": "POST", "headers": {"Authorization": "env:COUNT_AUTH"}}
//
// An endpoint gets the arguments as the body of its request, one of GET as query parameters: those must be scalars, and
// null is left out. The body of an answer with a status in the 200s is the output, read as above; any other status is
// TOOL_FAILED. Redirects are followed on the same host alone.
//
// Beside "run" a tool may say its "timeout", to which an agent holds its calls, its "effects" (none, idempotent or
// destructive), when a person is asked first ("approve": never, once or always; "approve_if": a mapping of JSON
// pointers into the arguments to regular expressions that must all match, where one that leads nowhere does not),
// "polling": true for calls that may be repeated, and "run_argument", the argument that is the id of the run.
package toolfile
