package kit_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

func TestOwn(t *testing.T) {
	own := kit.API(callwright.WireOpenAI)
	e := own.ExtraOf([]byte(`{"a":1,"b":2,"in":{"c":3,"d":4}}`), []string{"a"}, kit.NestedMember{Key: "in", Known: []string{"c"}})
	if e.Wire != callwright.WireOpenAI || string(e.JSON) != `{"b":2,"in":{"d":4}}` {
		t.Errorf("expected what is not known, got %s %s", e.Wire, e.JSON)
	}
	if e = own.Keep(e, "b", []byte("5")); string(own.Member(e, "b")) != "5" {
		t.Errorf("expected the member that was kept, got %s", e.JSON)
	}
	other := kit.API(callwright.WireGemini)
	if v := other.Member(e, "b"); v != nil || other.JSON(e) != nil {
		t.Errorf("expected nothing of another wire, got %s", v)
	}
	if w := own.Writer([]byte("{")); string(append(w.Buf, '}')) != "{}" || w.API != own {
		t.Errorf("expected a writer of the wire, got %v", w)
	}
}
