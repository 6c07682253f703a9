package archtest_test

import (
	"os"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/callwright/callwright/internal/archtest"
	"github.com/google/go-cmp/cmp"
)

// TestMembers holds the rule. Code that it reports belongs in the codec of its API.
func TestMembers(t *testing.T) {
	broken, err := rules.FindMembers(os.DirFS(root), archtest.Members, archtest.MemberPackages)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range broken {
		t.Error(b)
	}
}

// TestMemberPackages holds that each package that may say members says one, so that none is left in the table in vain.
func TestMemberPackages(t *testing.T) {
	for i, r := range archtest.MemberPackages {
		others := slices.Delete(slices.Clone(archtest.MemberPackages), i, i+1)
		if broken, err := rules.FindMembers(os.DirFS(root), archtest.Members, others); err != nil || len(broken) == 0 {
			t.Errorf("%s names no member: %v", r.Path, err)
		}
	}
}

func TestFindMembers(t *testing.T) {
	dir := fstest.MapFS{
		"a/a.go":        {Data: []byte("package a\n\nvar x = `input_schema`\n\nvar y = \"the input_schema of a tool\"\n\ntype z struct {\n\tA int `json:\"tool_use_id,omitempty\"`\n}\n")},
		"a/a_test.go":   {Data: []byte("package a\n\nvar t = \"input_schema\"\n")},
		"wire/b/b.go":   {Data: []byte("package b\n\nvar x = \"input_schema\"\n")},
		"wireless/c.go": {Data: []byte("package wireless\n\nvar x = \"input_schema\"\n")},
	}
	got, err := rules.FindMembers(dir, []string{"input_schema", "tool_use_id"}, []archtest.MemberPackage{{Path: "wire/..."}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"a/a.go:3:9: input_schema is a member of a single API: its codec reads it",
		"a/a.go:8:8: tool_use_id is a member of a single API: its codec reads it",
		"wireless/c.go:3:9: input_schema is a member of a single API: its codec reads it",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
