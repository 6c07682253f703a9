package jsonx_test

import (
	"encoding/json"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
)

func TestMarshal(t *testing.T) {
	got, err := jsonx.Marshal(map[string]any{"text": "<é> &\n", "raw": json.RawMessage(`{ "n" : 1.50e400, "s":"\u00e9<\/>" }`)})
	if want := `{"raw":{"n":1.50e400,"s":"\u00e9<\/>"},"text":"<é> &\n"}`; err != nil || string(got) != want {
		t.Errorf("expected %s, got %s, %v", want, got, err)
	}
	for _, v := range []any{json.RawMessage(`{`), func() {}} {
		if got, err := jsonx.Marshal(v); err == nil {
			t.Errorf("got %s", got)
		}
	}
}
