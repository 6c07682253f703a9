package replay_test

import (
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/replay"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
)

// Requests to groups are read again at the members that were asked, whatever is known of them now, and those whose model was told of a bound with what it was told.
func TestRouted(t *testing.T) {
	h := newGateway(t, everyWire+`models:
  group: {any: [far-openai/no-such-model-here, far-anthropic/native, far-gemini/native], prefer: latency}
  bounded: {model: far-openai/native, conversation: {max_tokens: 1}}
`, simulate.New(simulate.Weather()))
	asked := 0
	for _, client := range codecs.All() {
		for _, stream := range []bool{false, true} {
			h.ask(t, client, "group", stream)
			asked++
		}
		h.ask(t, client, "bounded", false)
		asked++
	}
	if err := h.w.Err(); err != nil {
		t.Fatal(err)
	}
	for name, conf := range map[string]*config.Config{"with the configuration": h.conf, "with the trace alone": {}} {
		list := results(t, &replay.Replay{Config: conf, RawOnly: true}, h.file.Bytes())
		told, same := 0, 0
		for i := range list {
			res := &list[i]
			if res.Outcome != replay.Same {
				t.Errorf("%s: %s is %s %s %v", name, res.Model, res.Outcome, res.Why, res.Differences)
				continue
			}
			same++
			if res.Model == "bounded" {
				told++
			}
		}
		if same <= told || told != 2 {
			t.Errorf("%s: of %d requests %d are the same, %d of them bounded", name, asked, same, told)
		}
	}
}
