package side

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/finding"
	"github.com/callwright/callwright/internal/trace"
)

// Facts are the facts of a record beside the finding.
type Facts struct {
	Asked   bool              // a provider was asked
	AsCame  bool              // the last body that was sent is that of the client, but for the model's name
	Status  int               // of the first answer of a provider that is a refusal or a failure, 0 for none
	Formats []string          // the formats of calls that the models were trained on, as far as that is known
	Finish  callwright.Finish // of the last answer

	found *finding.Finding
}

// FactsOf returns the facts of the request that has these entries.
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

// formatsOf returns the formats that a model's entry says it was trained on.
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

// has reports whether the finding has a rule of one of these names or families.
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

// isOwnFormat reports whether the rule is about a format that the model was trained on.
func (f *Facts) isOwnFormat(rule string) bool {
	for _, own := range f.Formats {
		if strings.ReplaceAll(own, "-", "_") == strings.ReplaceAll(strings.TrimPrefix(rule, "dialect."), "-", "_") {
			return true
		}
	}
	return false
}
