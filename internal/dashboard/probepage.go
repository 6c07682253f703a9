package dashboard

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/htmltemplate"
	"github.com/callwright/callwright/internal/probe"
)

// Probes returns the results of capability probes, called cards. It is called concurrently, once per page.
type Probes interface {
	// Card returns the latest card of a model, nil if there is none.
	Card(ctx context.Context, model callwright.ModelID) (*probe.StoredCard, error)
}

// A probePage shows the results of a model's probe.
type probePage struct {
	Name   callwright.ModelID
	Class  string // class of the element around the card
	Card   htmltemplate.HTML
	Probed time.Time
	Facts  []caps.Fact // facts found by a probe, if there is no card
}

func (s *server) probe(w http.ResponseWriter, v *visit) {
	ctx, cancel := withSourceTimeout(v.Request)
	defer cancel()
	p := &probePage{Name: callwright.ModelID(v.PathValue("name")), Class: probe.FragmentClass}
	model := Model{Name: p.Name}
	if s.Models != nil {
		model = s.Models.One(ctx, p.Name)
	}
	if s.Probes != nil {
		card, err := s.Probes.Card(ctx, cmp.Or(model.Target, model.Name))
		if err == nil && card != nil {
			var b bytes.Buffer
			err = card.WriteFragment(&b)
			p.Card, p.Probed = htmltemplate.HTML(b.String()), card.Probed // the card is escaped
		}
		if err != nil {
			s.writeErrorPage(w, v.Request, err)
			return
		}
	}
	for _, f := range model.Found {
		if f.Source == caps.Probed {
			p.Facts = append(p.Facts, f)
		}
	}
	s.show(w, v, http.StatusOK, "probe", "Probe of "+string(p.Name), p)
}
