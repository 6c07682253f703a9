package swallowed_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/reliable/internal/swallowed"
)

var params = swallowed.Params{
	IsDeclared: func(name string) bool { return name == "content" || name == "tags" || name == "mode" },
	IsMissing:  func(name string) bool { return name == "tags" || name == "mode" },
}

// What is read keeps every byte that is no mark: the value begins with the head, and each argument stands in it, in order. A head holds no rest.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"Monday.</content>\n<parameter name=\"tags\">[\"a\"]",
		"x\n</parameter>\n<parameter=tags>\n1\n</parameter>\n<parameter=mode>\ny\n</parameter>\n</function>\n</tool_call>",
		"/srv</arg_value><arg_key>tags</arg_key><arg_value>1</arg_value></tool_call>",
		"a<|tool_arg:end|>\n<|tool_arg:start|>tags<|tool_arg:value|>3<|tool_arg:end|>\n<|tool_call:end|>",
		"a<|close|>argument<|sep|><|open|>argument key=\"tags\" type=\"number\"<|sep|>3<|close|>argument<|sep|><|close|>call<|sep|>",
		"a]<]minimax[>[</content>]<]minimax[>[<tags>b]<]minimax[>[</tags>]<]minimax[>[</invoke>",
		"see <parameter name=\"tags\">x</parameter> and </parameter><parameter name=\"mode\">y",
		"<content>a</content><mode>b</mode>",
		"a</content></content><tags>b</tags></tags>",
		"a</parameter><parameter name=\"tags\"><parameter name=\"mode\">b",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v := swallowed.Read("content", text, params)
		if len(v.Rest) == 0 {
			return
		}
		rest, ok := strings.CutPrefix(text, v.Head)
		if !ok || v.Suspect {
			t.Fatalf("%q: got the head %q, suspect: %t", text, v.Head, v.Suspect)
		}
		seen := map[string]bool{}
		for _, a := range v.Rest {
			if !params.IsMissing(a.Name) || seen[a.Name] {
				t.Fatalf("%q: got %s", text, a.Name)
			}
			seen[a.Name] = true
			i := strings.Index(rest, a.Name)
			if i < 0 {
				t.Fatalf("%q: no %s in it", text, a.Name)
			}
			j := strings.Index(rest[i:], a.Text)
			if j < 0 {
				t.Fatalf("%q: no value %q in it", text, a.Text)
			}
			rest = rest[i+j:]
		}
	})
}

// A key is a name where nothing but marks stands around it.
func TestName(t *testing.T) {
	names := []string{"path", "offset", "path_to"}
	for key, want := range map[string]string{
		"path</arg_key>": "path", "<arg_key>path": "path", "<arg_key>path</arg_key>": "path", `path">`: "path", "<parameter=path": "path", `<parameter name="path">`: "path",
		"offset >": "offset", "path<arg_key": "path", " path</arg_key:6124c78e>\n": "path", "path_to</arg_key>": "path_to", "</｜DSML｜parameter>path": "path", "</path>": "",
		"path": "", "pathx</arg_key>": "", "a<b": "", "path</arg_key><arg_value>/srv": "", "path</arg_key>offset": "", "": "", ">": "",
	} {
		if got, ok := swallowed.Name(key, names); got != want || ok != (want != "") {
			t.Errorf("%q: got %q", key, got)
		}
	}
}
