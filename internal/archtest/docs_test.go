package archtest_test

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// TestDocs is the rule for this module.
func TestDocs(t *testing.T) {
	broken, err := rules.CheckDocs(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range broken {
		t.Error(b)
	}
}

func TestCheckDocs(t *testing.T) {
	const nothing = "a.go:3:1: readAll returns nothing, unlike its comment"
	for text, want := range map[string][]string{
		"// readAll reads.\nfunc readAll() {}":                      nil,
		"// A readAll reads.\ntype readAll int":                     nil,
		"// Reads all.\nfunc readAll() {}":                          nil,
		"// HTTP is spoken.\nfunc readAll() {}":                     nil,
		"// readAny reads.\nfunc readAll() {}":                      {"a.go:3:1: the comment of readAll begins with readAny"},
		"// readAny is a limit.\nconst readAll = 1":                 {"a.go:3:1: the comment of readAll begins with readAny"},
		"const (\n// readAny is a limit.\nreadAll = 1\n)":           {"a.go:4:1: the comment of readAll begins with readAny"},
		"// readAny are limits.\nconst (\nreadAll = 1\n)":           nil,
		"// readAll, readAny are limits.\nvar readAll, readAny int": nil,

		"// readAll returns the text.\nfunc readAll() string { return \"\" }":                      nil,
		"// readAll returns memory.\nfunc readAll() {}":                                            nil,
		"// readAll returns why not.\nfunc readAll() error { return nil }":                         nil,
		"// readAll returns the text.\nfunc readAll(w http.ResponseWriter) string { return \"\" }": nil,
		"// readAll returns the text.\nfunc readAll(w http.ResponseWriter) {}":                     {nothing},
		"// readAll returns the text.\nfunc readAll(w http.ResponseWriter) error { return nil }":   {nothing},
		"// readAll returns the error.\nfunc readAll(w http.ResponseWriter) error { return nil }":  nil,
		"// readAll returns all.\nfunc readAll() Option { return nil }":                            {nothing},
	} {
		got, err := rules.CheckDocs(fstest.MapFS{"a.go": {Data: []byte("package p\n\n" + text + "\n")}})
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s\nerror %v (-want +got):\n%s", text, err, diff)
		}
	}
}
