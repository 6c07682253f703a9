package toolname_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect/internal/toolname"
)

var declared = []string{"read_file", "webSearch", "srv__kb__look_up", "store.list-items", "ping"}

// Each declared name is resolved from every form that loses nothing, and from its own beginnings on it may become one.
func TestForms(t *testing.T) {
	names := toolname.New(declared)
	for _, name := range declared {
		for form, rule := range map[string]string{
			name: "", strings.ToUpper(name): "name.case", "functions." + name: "name.prefix", "google:tool:" + name + ":index:0": "name.prefix", "tool:functions." + name: "name.prefix", name + ":3": "name.suffix", name + name: "name.prefix", name + "." + name: "name.prefix",
			name + "." + name + "." + name: "name.prefix", name + name + name: "name.prefix", "`" + name + "`": "name.escape",
		} {
			got, by, ok := names.Resolve(form)
			if !ok || got != name || by != rule {
				t.Errorf("%s: %s by %q (%t), want %s by %q", form, got, by, ok, name, rule)
			}
		}
		for i := 1; i <= len(name); i++ {
			if !names.Begins(name[:i]) || !names.Begins("functions."+name[:i]) {
				t.Errorf("%s begins no name", name[:i])
			}
		}
		if got, ok := names.Plain(name); !ok || got != name || !names.Has(name) {
			t.Errorf("%s is not found as it stands: %s", name, got)
		}
	}
}

// What loses something, or means several, is resolved to none.
func TestNone(t *testing.T) {
	names := toolname.New(append(declared, "x_y", "x-y", "a__find", "b__find", "go"))
	for _, form := range []string{"", "read_fil", "read_files", "find", "xY", "read_fileping", "gogo", "gogogo", "pingpin", "``", " ", strings.Repeat("ping", 4000)} {
		if got, by, ok := names.Resolve(form); ok {
			t.Errorf("%.40s: %s by %s", form, got, by)
		}
	}
	if got, by, ok := names.Resolve("go.go"); !ok || got != "go" || by != "name.prefix" {
		t.Errorf("a short name with a dot between: %s by %s", got, by)
	}
	if (*toolname.Resolver)(nil).Begins("p") || toolname.New(nil).Begins("p") {
		t.Error("no names, and one begins")
	}
}

// Nothing panics, and what is resolved is declared and begins as it is written.
func FuzzResolve(f *testing.F) {
	f.Add("functions.read_file:2")
	f.Add("pingping")
	f.Fuzz(func(t *testing.T, written string) {
		names := toolname.New(declared)
		if got, _, ok := names.Resolve(written); ok && !names.Has(got) {
			t.Errorf("%q: %q", written, got)
		}
		if got, ok := names.Plain(written); ok && !names.Has(got) {
			t.Errorf("%q stands for %q", written, got)
		}
		names.Begins(written)
	})
}
