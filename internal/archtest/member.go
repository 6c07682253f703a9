package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Members are names of JSON members and types that only one API uses. Only packages in MemberPackages may contain them.
var Members = []string{
	"functionCall", "functionResponse", "function_response", "functionDeclarations", "function_declarations",
	"systemInstruction", "system_instruction",
	"generationConfig", "generation_config", "toolConfig", "tool_config", "thoughtSignature", "thought_signature", "inlineData", "inline_data",
	"parametersJsonSchema", "parameters_json_schema", "usageMetadata", "finishReason", // Gemini
	"server_tool_use", "tool_use_id", "input_schema", "redacted_thinking", "disable_parallel_tool_use", "allowed_callers",
	"defer_loading", "tool_references",
	"content_block", "cache_creation_input_tokens", // Anthropic
	"tool_call_id", "reasoning_details", "extra_content", "web_search_options", "prompt_tokens", "completion_tokens", // Chat Completions
	"function_call_output", "custom_tool_call", "custom_tool_call_output", "previous_response_id", "encrypted_content", // Responses
	"prompt_eval_count", "eval_count", // Ollama
}

// A MemberPackage is a package that may contain Members. A Path with a final "/..." includes all packages below it.
type MemberPackage struct{ Path, Why string }

// MemberPackages are the packages that may contain member names of single APIs.
var MemberPackages = []MemberPackage{
	{"internal/wire/...", "a codec for each API"},
	{"simulate", "the APIs again, from their documentation, so that no codec is tested against itself"},
	{"internal/conformance", "the APIs once more, from their documentation, so that no error hides in a codec or the simulator and in the check of a gateway that uses them"},
	{"caps", "facts, by the values that providers take"},
	{"interop", "forms of single tools, calls and results, as data"},
	{"dialect/...", "calls that models write as text, often as they have seen them in an API"},
	{"agent/toolfile", "files of tools in the forms of other programs"},
	{"cmd/callwright/internal/demo", "a printer that shows the raw events of streams"},
	{"cmd/callwright/internal/launch", "settings of coding agents, which name some members alike"},
}

// FindMembers reads every Go file in the module at the root dir, except tests. It returns the positions, outside of
// packages, of string literals and JSON field tags that equal one of members.
func (m Module) FindMembers(dir fs.FS, members []string, packages []MemberPackage) ([]string, error) {
	var broken []string
	err := m.walk(dir, func(file string) error {
		if strings.HasSuffix(file, "_test.go") || isMemberPackage(path.Dir(file), packages) {
			return nil
		}
		text, err := fs.ReadFile(dir, file)
		if err != nil {
			return err
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, file, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if name := memberIn(lit.Value); slices.Contains(members, name) {
					broken = append(broken, fmt.Sprintf("%s: %s is a member of a single API: its codec reads it", files.Position(lit.Pos()), name))
				}
			}
			return true
		})
		return nil
	})
	return broken, err
}

func isMemberPackage(pkg string, packages []MemberPackage) bool {
	return pkg == "internal/archtest" || slices.ContainsFunc(packages, func(r MemberPackage) bool {
		tree, all := strings.CutSuffix(r.Path, "/...")
		return pkg == tree || all && strings.HasPrefix(pkg, tree+"/")
	})
}

// memberIn returns the value of a string literal, or the JSON name in a struct tag.
func memberIn(lit string) string {
	text, err := strconv.Unquote(lit)
	if err != nil {
		return ""
	}
	if tag, ok := reflect.StructTag(text).Lookup("json"); ok {
		text, _, _ = strings.Cut(tag, ",")
	}
	return text
}
