package replay_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/cmd/callwright/internal/casefile"
	"github.com/callwright/callwright/cmd/callwright/internal/replay"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
)

// TestCase: the case of each request, written to a file and read from it, comes to the finding of its record, whatever the API on both sides.
func TestCase(t *testing.T) {
	h := newGateway(t, everyWire, simulate.New(simulate.Weather()))
	all := codecs.All()
	for i, f := range simulate.Faults() {
		if f.Stalls || !longtest.IsEnabled() && i%3 != 0 {
			continue
		}
		for k, back := range all {
			front := all[(i+k)%len(all)]
			h.ask(t, front, "far-"+string(back.Name())+"/"+f.Model(), (i+k)%2 == 0)
		}
	}
	entries, err := trace.ReadAll(bytes.NewReader(h.file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string][]trace.Entry{}
	var order []string
	var model trace.Entry
	for _, e := range entries {
		if e.Kind == trace.KindModel {
			model = e
			continue
		}
		if byID[e.ID] == nil {
			order = append(order, e.ID)
			if model.Model == e.Model {
				byID[e.ID] = append(byID[e.ID], model)
			}
		}
		byID[e.ID] = append(byID[e.ID], e)
	}
	faults := 0
	for _, id := range order {
		c, err := casefile.FromEntries(byID[id])
		if err != nil {
			t.Fatal(err)
		}
		if c.Finding.IsFault() {
			faults++
		}
		if c.Settings, err = h.conf.SettingsOf(c.Head.Model); err != nil {
			t.Fatal(err)
		}
		c.Says = "a case\n-- of --\nthree lines"
		file := c.Append(nil)
		again, err := casefile.Parse(file)
		if err != nil {
			t.Fatalf("%v\n%s", err, file)
		}
		if d := cmp.Diff(string(file), string(again.Append(nil))); d != "" {
			t.Fatalf("read and written again (-once +twice)\n%s", d)
		}
		got, _, err := (&replay.Replay{}).Case(t.Context(), again)
		if err != nil || !got.Equal(&c.Finding) {
			t.Errorf("%s: %v: got %s, recorded %s", c.Head.Model, err, got.String(), c.Finding.String())
		}
	}
	if len(order) < 200 || faults < len(order)/2 {
		t.Errorf("%d requests, %d with a fault", len(order), faults)
	}
}
