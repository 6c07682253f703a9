package side

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/finding"
	"github.com/callwright/callwright/internal/trace"
)

// Facts are facts about a recorded request that complement its finding (outcome and fault rules).
type Facts struct {
	Asked   bool              // a provider received the request
	AsCame  bool              // the last provider request equals the client's except for the model name
	Status  int               // of the first provider response other than 2xx; 0 for none
	Formats []string          // text formats of calls on which the models were trained, if known
	Finish  callwright.Finish // of the last response

	found *finding.Finding
}

// FactsOf returns the facts of the request in the trace entries.
func FactsOf(entries []trace.Entry) *Facts {
	f := &Facts{}
	var came []byte
	for i := range entries {
		switch e := &entries[i]; e.Kind {
		case trace.KindModel:
			f.Formats = formatsOf(e)
		case trace.KindRequest:
			came, f.Asked, f.AsCame, f.Status = e.Body, false, false, 0
		case trace.KindSent:
			f.AsCame = came != nil && differOnlyInModel(came, e.Data)
		case trace.KindReceived:
			if r, err := e.ProviderAnswer(); err == nil && r.Skipped == 0 {
				f.Asked = true
				if f.Status == 0 && r.Status/100 != 2 {
					f.Status = r.Status
				}
			}
		case trace.KindAnswer, trace.KindError:
			if resp, err := e.Response(); err == nil && resp != nil {
				f.Finish = resp.Finish
			}
		}
	}
	return f
}

// formatsOf returns the formats of calls in a KindModel entry on which the model was trained.
func formatsOf(e *trace.Entry) (out []string) {
	all, err := e.Facts()
	if err != nil {
		return nil
	}
	for _, facts := range all {
		for _, fact := range facts {
			if fact.Key == "dialect" {
				out = append(out, fact.Value)
			}
		}
	}
	return out
}

func differOnlyInModel(came, sent []byte) bool {
	for _, d := range trace.Differences(came, sent, 2) {
		if d.Path != "/model" {
			return false
		}
	}
	return true
}

// has reports whether the finding has one of the given rules. A name ending in "*", such as "dialect.*", is a prefix.
func (f *Facts) has(of ...string) bool {
	for _, rule := range f.found.Rules {
		for _, o := range of {
			if family, any := strings.CutSuffix(o, "*"); rule == o || any && strings.HasPrefix(rule, family) {
				return true
			}
		}
	}
	return false
}

// isOwnFormat reports whether a rule such as "dialect.hermes" names a format on which the model was trained.
func (f *Facts) isOwnFormat(rule string) bool {
	for _, own := range f.Formats {
		if strings.ReplaceAll(own, "-", "_") == strings.ReplaceAll(strings.TrimPrefix(rule, "dialect."), "-", "_") {
			return true
		}
	}
	return false
}
