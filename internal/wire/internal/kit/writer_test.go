package kit_test

import (
	"testing"

	"github.com/callwright/callwright/internal/wire/internal/kit"
)

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		`{"a": "b\n"}`:               `{"a": "b\n"}`,
		"{\"a\": \"b c\",\n\"d\":1}": `{"a":"b c","d":1}`,
		"{\"a\":\r[ ]}":              `{"a":[]}`,
	} {
		if got := kit.OneLine([]byte(in)); string(got) != want {
			t.Errorf("%q: expected %s, got %s", in, want, got)
		}
	}
}
