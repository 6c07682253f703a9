package terminalsvg_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/terminalsvg"
	"pgregory.net/rapid"
)

// The image is XML whose texts are the command and the lines of the output, in order, each shown after the one before.
func TestDraw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringMatching(`[ -~é]{0,40}[!-~]`), 1, 12).Draw(t, "lines")
		got := textsOf(t, terminalsvg.Draw("callwright demo", strings.Join(lines, "\n")+"\n"))
		want := append([]string{"$ callwright demo"}, lines...)
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("got %q\nwant %q", got, want)
		}
	})
}

func textsOf(t *rapid.T, svg []byte) (texts []string) {
	d, inText := xml.NewDecoder(strings.NewReader(string(svg))), false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return texts
		} else if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if inText = token.Name.Local == "text"; inText {
				texts = append(texts, "")
			}
		case xml.EndElement:
			inText = false
		case xml.CharData:
			if inText {
				texts[len(texts)-1] += string(token)
			}
		}
	}
}
