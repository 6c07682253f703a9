package health_test

import (
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/outcome"
)

// More healed answers than before are a problem: many of many, and a multiple of the part that was usual.
func TestHealing(t *testing.T) {
	type phase struct {
		answers, healed int // healed are the first ones of the answers
		minutes         int // that pass afterwards
	}
	for name, tt := range map[string]struct {
		phases []phase
		want   string // a part of the problem, "" for none
	}{
		"new model":           {[]phase{{40, 40, 0}}, ""},
		"jump":                {[]phase{{100, 2, 16}, {40, 20, 0}}, "lab/m: the healing rate jumped: 20 of the last 40 answers were healed, 2 of 100 before"},
		"jump from nothing":   {[]phase{{100, 0, 16}, {40, 8, 0}}, "8 of the last 40"},
		"few of many":         {[]phase{{100, 0, 16}, {40, 7, 0}}, ""},
		"few answers":         {[]phase{{100, 0, 16}, {19, 19, 0}}, ""},
		"as before":           {[]phase{{100, 20, 16}, {40, 20, 0}}, ""},
		"over":                {[]phase{{100, 0, 16}, {40, 20, 16}, {40, 0, 0}}, ""},
		"the usual by now":    {[]phase{{100, 0, 16}, {400, 200, 16}, {400, 200, 0}}, ""},
		"nobody asks anymore": {[]phase{{100, 0, 16}, {40, 20, 16}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClock()
			m := health.New(health.Config{Now: func() time.Time { return c.now }})
			for _, p := range tt.phases {
				for i := range p.answers {
					r := request("lab/m", "lab/m", "")
					if i < p.healed {
						r.Outcome = outcome.Healed
					}
					m.Count(r)
				}
				c.now = c.now.Add(time.Duration(p.minutes) * time.Minute)
			}
			got := m.Problems()
			switch {
			case tt.want == "" && len(got) > 0:
				t.Errorf("got %s", got[0])
			case tt.want != "" && (len(got) != 1 || !strings.Contains(got[0].String(), tt.want) || got[0].Topic != health.TopicHealing || got[0].Remedy == ""):
				t.Errorf("got %v, want %s", got, tt.want)
			}
		})
	}
}
