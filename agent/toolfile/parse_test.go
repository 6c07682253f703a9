package toolfile_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/agent/toolfile"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the messages in testdata anew")

// nothing is an environment without variables.
func nothing(string) (string, bool) { return "", false }

const badFiles = "testdata/bad.txtar"

// Every bad file has everything said about it that is wrong, with the place.
func TestParseRefuses(t *testing.T) {
	archive, err := txtar.ParseFile(badFiles)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(archive.Files); i += 2 {
		text, want := archive.Files[i], &archive.Files[i+1]
		tools, err := toolfile.Parse(text.Data, toolfile.Options{Env: nothing})
		if err == nil || tools != nil {
			t.Errorf("%s: got %d tools", text.Name, len(tools))
			continue
		}
		got := err.Error() + "\n"
		if *update {
			want.Data = []byte(got)
		}
		if diff := cmp.Diff(string(want.Data), got); diff != "" || want.Name != strings.TrimSuffix(text.Name, ".json")+".txt" {
			t.Errorf("%s: %s", text.Name, diff)
		}
		if e, ok := errors.AsType[*callwright.Error](err); !ok || e.Kind.Status() != 400 {
			t.Errorf("%s: got %v", text.Name, e)
		}
	}
	if *update {
		if err := os.WriteFile(badFiles, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestProblemsAreBounded(t *testing.T) {
	_, err := toolfile.Parse([]byte("["+strings.Repeat("1,", 1000)+"1]"), toolfile.Options{})
	if got := strings.Count(err.Error(), "\n") + 1; got != 100 {
		t.Errorf("got %d problems", got)
	}
}

func TestReadFails(t *testing.T) {
	dir := t.TempDir()
	if _, err := toolfile.Read(filepath.Join(dir, "none.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	name := filepath.Join(dir, "bad.json")
	if err := os.WriteFile(name, []byte(`{"tools": 3}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := toolfile.Read(name); err == nil || err.Error() != name+": toolfile.parse: /tools: expected a list of tools, got number" {
		t.Errorf("got %v", err)
	}
	if err := os.Truncate(name, 16<<20+1); err != nil {
		t.Fatal(err)
	}
	if _, err := toolfile.Read(name); err == nil || !strings.HasSuffix(err.Error(), "expected a file of at most 16777216 bytes, got a longer one") {
		t.Errorf("got %v", err)
	}
}

func ExampleParse() {
	self, err := os.Executable() // stands for any program
	if err != nil {
		panic(err)
	}
	program, err := json.Marshal(self)
	if err != nil {
		panic(err)
	}
	tools, err := toolfile.Parse([]byte(`{"tools": [{
		"name": "repeat",
		"description": "Gives its arguments back",
		"parameters": {"type": "object", "properties": {"text": {"type": "string"}}},
		"run": {"command": [`+string(program)+`], "env": {"TOOLFILE_ROLE": "echo"}},
		"timeout": "30s", "effects": "none"
	}]}`), toolfile.Options{})
	if err != nil {
		panic(err)
	}
	out, err := tools[0].Run(context.Background(), json.RawMessage(`{"text": "hello"}`))
	fmt.Println(tools[0].Name, string(out.Data), err)

	_, err = toolfile.Parse([]byte(`[{"name": "a", "run": {"comand": ["ls"]}, "efects": "none"}]`), toolfile.Options{})
	fmt.Println(err)
	// Output:
	// repeat {"text":"hello"} <nil>
	// toolfile.parse: /0/efects: tool 0 (a): unknown member "efects": did you mean effects?
	// toolfile.parse: /0/run/comand: tool 0 (a): unknown member "comand": did you mean command?
}

// Whatever a file holds, Parse neither panics nor gives back a tool that cannot be registered.
func FuzzParse(f *testing.F) {
	archive, err := txtar.ParseFile(badFiles)
	if err != nil {
		f.Fatal(err)
	}
	for i := 0; i < len(archive.Files); i += 2 {
		f.Add(archive.Files[i].Data)
	}
	f.Add([]byte(`{"tools":[{"type":"function","function":{"name":"a"},"run":{"url":"http://h/","method":"GET"},"approve_if":{"/a":"b"}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		tools, err := toolfile.Parse(text, toolfile.Options{Env: nothing})
		if err != nil {
			return
		}
		for _, tool := range tools {
			if err := agent.CheckTool(tool); err != nil {
				t.Error(err)
			}
			if tool.ApproveIf != nil {
				tool.ApproveIf(text)
			}
		}
	})
}
