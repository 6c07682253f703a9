package kit_test

import (
	"testing"

	"github.com/callwright/callwright/internal/wire/internal/kit"
)

func TestSplitDataURL(t *testing.T) {
	for url, want := range map[string][2]string{
		"data:image/png;base64,iVBO":          {"image/png", "iVBO"},
		"data:;base64,AA==":                   {"", "AA=="},
		"data:text/plain;charset=a;base64,AA": {"text/plain;charset=a", "AA"},
		"data:text/plain,hello":               {},
		"data:text/plain,x;base64,AA":         {},
		"https://a.test/b;base64,AA":          {},
		"":                                    {},
	} {
		mediaType, data, ok := kit.SplitDataURL(url)
		if got := [2]string{mediaType, data}; got != want || ok != (want[1] != "") {
			t.Errorf("%q: expected %q, got %q (%t)", url, want, got, ok)
		}
		if ok && kit.DataURL(mediaType, data) != url {
			t.Errorf("%q: got %q back", url, kit.DataURL(mediaType, data))
		}
	}
}
