package toolname_test

import (
	"testing"

	"github.com/callwright/callwright/dialect/internal/toolname"
)

func TestAliases(t *testing.T) {
	names := toolname.New([]string{"a.b", "a:b", "fs:read/file", "get weather", "plain"}).With([]toolname.Alias{
		{Sent: "a_b_11111111", Short: "a_b", Declared: "a.b"}, {Sent: "a_b_22222222", Short: "a_b", Declared: "a:b"},
		{Sent: "fs_read_file_33333333", Short: "fs_read_file", Declared: "fs:read/file"}, {Sent: "plain", Declared: "get weather"},
	})
	for written, want := range map[string][2]string{
		"a_b_11111111": {"a.b", ""}, "a_b_22222222": {"a:b", ""}, "functions.a_b_11111111": {"a.b", "name.prefix"},
		"fs_read_file_33333333": {"fs:read/file", ""}, "FS_read_file_33333333": {"fs:read/file", "name.case"}, "fs:read/file": {"fs:read/file", ""},
		"fs_read_file": {"fs:read/file", "name.separators"}, "read_file": {},
		"get weather": {"get weather", ""}, "get_weather": {"get weather", "name.separators"}, "plain": {"plain", ""}, "a_c": {},
	} {
		got, rule, _ := names.Resolve(written)
		if got != want[0] || rule != want[1] {
			t.Errorf("%q is %q by %q, want %q by %q", written, got, rule, want[0], want[1])
		}
	}
	if got, _, ok := toolname.New([]string{"a:b", "a/b"}).Resolve("a_b"); ok {
		t.Errorf("a_b is %q, though two tools come to it", got)
	}
	if !names.Begins("fs_read_fi") || !names.Begins("a_b_1") || !names.Has("a_b_11111111") {
		t.Error("the beginning of a name that was sent is none of a name")
	}
}

// A name that was cut and told apart by a tail is known without it.
func TestShortAliases(t *testing.T) {
	names := toolname.New([]string{"long_name_one", "other"}).With([]toolname.Alias{{Sent: "long_12345678", Short: "long", Declared: "long_name_one"}})
	if got, rule, _ := names.Resolve("long"); got != "long_name_one" || rule != "name.suffix" {
		t.Errorf("got %q by %q", got, rule)
	}
	if got, ok := names.Plain("long"); !ok || got != "long_name_one" {
		t.Errorf("bare: %q", got)
	}
}
