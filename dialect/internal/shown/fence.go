package shown

import "strings"

// IsQuotingFence reports whether code blocks in the language are never calls.
func IsQuotingFence(lang string) bool { return quotingFences[strings.ToLower(lang)] }

var quotingFences = map[string]bool{
	"bash": true, "sh": true, "shell": true, "zsh": true, "console": true, "diff": true, "patch": true, "powershell": true,
	"yaml": true, "toml": true, "go": true, "java": true, "c": true, "cpp": true, "rust": true, "html": true, "css": true,
	"sql": true, "markdown": true, "md": true, "log": true, "typescript": true, "ts": true, "suggestion": true, "tsx": true,
	"jsx": true, "vue": true,
	"svelte": true, "kotlin": true, "swift": true, "scala": true, "php": true, "ruby": true, "rb": true, "perl": true,
	"lua": true, "elixir": true, "haskell": true,
	"csharp": true, "cs": true, "c++": true, "r": true, "julia": true, "graphql": true, "http": true, "ini": true, "hcl": true,
	"dockerfile": true,
	"mermaid":    true, "plantuml": true, "latex": true, "tex": true, "csv": true, "terminal": true, "shellsession": true, "pycon": true,
	"batch": true, "cmd": true, "fish": true, "gherkin": true, "jinja": true, "jinja2": true,
}
