package codecs_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// The texts of one result stay apart on every wire: as parts of their own, or with a newline between them.
func TestTextsOfAResult(t *testing.T) {
	call := callwright.Call{ID: "c1", Name: "look", Arguments: []byte("{}")}
	for _, failed := range []bool{false, true} {
		for _, history := range []caps.HistoryRules{{}, {StringContent: true}} {
			for _, parts := range [][]callwright.Part{
				{callwright.Text{Text: "12"}, callwright.Text{Text: "34"}},
				{callwright.Text{Text: "12"}, callwright.Text{Text: "34"}, callwright.Image{MediaType: "image/png", Data: "AA=="}},
			} {
				req := &callwright.Request{Model: "m", Messages: []callwright.Message{callwright.UserText("Look."),
					{Role: callwright.RoleAssistant, Parts: []callwright.Part{call}},
					{Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: "c1", Name: "look", IsError: failed, Parts: parts}}}}}
				for _, c := range codecs.All() {
					out, _, err := c.EncodeRequest(req, "m", caps.Caps{History: history})
					if err != nil {
						t.Fatal(err)
					}
					for _, glued := range []string{"1234", `12\n\n34`, "12 34"} {
						if strings.Contains(string(out), glued) {
							t.Errorf("%s, failed %v, %+v: %s in %s", c.Name(), failed, history, glued, out)
						}
					}
				}
			}
		}
	}
}
