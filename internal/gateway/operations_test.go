package gateway

import (
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every route that no API of a provider has is an operation of the document, and every operation is a route.
func TestOperations(t *testing.T) {
	var served []string
	for _, rt := range routes {
		if strings.HasPrefix(rt.path, "/callwright/") {
			served = append(served, rt.method+" "+strings.Replace(rt.path, "/models/{id...}", "/models/{model}/facts", 1))
		}
	}
	for pattern := range probes {
		if pattern != "GET /{$}" && pattern != "GET /api/hello" { // greetings to clients of other programs
			served = append(served, pattern)
		}
	}
	served = append(served, http.MethodGet+" "+statusPath, http.MethodGet+" "+runningPath, http.MethodGet+" "+OpenAPIPath, http.MethodGet+" "+BundlePath) // a program serves the last two
	var documented []string
	for _, op := range Operations() {
		documented = append(documented, op.Method+" "+op.Path)
		r, err := http.NewRequestWithContext(t.Context(), op.Method, strings.NewReplacer("{id}", "x", "{model}", "x").Replace(op.Path), http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if needs := string(verbOf(r)); !op.Open && op.Needs != needs {
			t.Errorf("%s %s needs %q, documented is %q", op.Method, op.Path, needs, op.Needs)
		}
	}
	slices.Sort(served)
	slices.Sort(documented)
	if !slices.Equal(served, documented) {
		t.Errorf("served:     %q\ndocumented: %q", served, documented)
	}
}

// The document has every reason for which a call is not handed on.
func TestInvalidReasons(t *testing.T) {
	declared := regexp.MustCompile(`InvalidReason = "(\w+)"`)
	var want []string
	for _, file := range []string{"../../report.go", "../callcheck/callcheck.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range declared.FindAllStringSubmatch(string(text), -1) {
			want = append(want, found[1])
		}
	}
	if !slices.Equal(invalidReasons, want) {
		t.Errorf("documented: %q\ndeclared:   %q", invalidReasons, want)
	}
}
