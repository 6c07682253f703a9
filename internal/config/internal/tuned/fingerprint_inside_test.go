package tuned

import (
	"encoding/json"
	"hash/fnv"
	"reflect"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/internal/callrule"
	"github.com/callwright/callwright/internal/probe/background"
	"github.com/callwright/callwright/internal/transformset"
	"github.com/callwright/callwright/transform"
)

// changes has settings that change answers for each field of Settings that the digest has.
var changes = map[string]Settings{
	"Facts":      {Facts: []caps.Fact{{Key: "images", Value: "no"}}},
	"Params":     {Params: Params{{Name: "seed", Value: json.RawMessage("1")}}},
	"Edits":      {Edits: []callwright.Edit{{Path: []string{"a"}, Value: json.RawMessage("1")}}},
	"Cache":      {Cache: callwright.CacheOff},
	"FallbackOn": {FallbackOn: []callwright.Kind{callwright.KindTimeout}},
	"Rules":      {Rules: bashRule()},
	"Transforms": {Transforms: transformset.New([]transform.Transform{{Name: "test"}}, callwright.PolicyHeal, nil)},
}

// sameAnswers are the fields of Settings that the digest leaves out, with the reason.
var sameAnswers = map[string]string{
	"Prober":    "an observer",
	"Attempted": "an observer",
	"TotalTime": "there is no answer beyond it",
	"Finding":   "follows from the policy, which the digest of the client has",
}

// TestDigestHasSettings: each setting of a model changes the fingerprint, or is left out for a reason.
func TestDigestHasSettings(t *testing.T) {
	sum := func(s Settings) string {
		s.Prober = &background.Prober{} // so that a model without other settings is tuned too
		h := fnv.New128a()
		New(nil, s).(*tuned).AddTo(h)
		return string(h.Sum(nil))
	}
	plain := sum(Settings{})
	for f := range reflect.TypeFor[Settings]().Fields() {
		change, found := changes[f.Name]
		switch {
		case found == (sameAnswers[f.Name] != ""):
			t.Errorf("Settings.%s: set it in changes, or give in sameAnswers the reason why it changes no answer", f.Name)
		case found && reflect.ValueOf(change).FieldByIndex(f.Index).IsZero():
			t.Errorf("Settings.%s: its row in changes does not set it", f.Name)
		case found && sum(change) == plain:
			t.Errorf("Settings.%s does not change the digest", f.Name)
		}
	}
}

func bashRule() *callrule.Set {
	s, err := callrule.New([]callrule.Rule{{Name: "no-bash", Tools: []string{"bash"}, Action: callcheck.Refuse}})
	if err != nil {
		panic(err)
	}
	return s
}
