package wire_test

import (
	"testing"

	"github.com/callwright/callwright/wire"
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
		mediaType, data, ok := wire.SplitDataURL(url)
		if got := [2]string{mediaType, data}; got != want || ok != (want[1] != "") {
			t.Errorf("%q: expected %q, got %q (%t)", url, want, got, ok)
		}
		if ok && wire.DataURL(mediaType, data) != url {
			t.Errorf("%q: got %q back", url, wire.DataURL(mediaType, data))
		}
	}
}
