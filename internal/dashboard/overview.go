package dashboard

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/dashboard/internal/figures"
	"github.com/callwright/callwright/internal/dashboard/internal/modellist"
)

// A window is a time span that the overview can show, divided into slots.
type window struct {
	Name  string
	Time  time.Duration
	Slots int
}

var windows = []window{{"hour", time.Hour, 60}, {"day", 24 * time.Hour, 48}, {"week", 7 * 24 * time.Hour, 56}}

// figureAge is how long metrics are cached, because they are computed from many reports.
const figureAge = 2 * time.Second

// figureCache caches metrics by the name of the window.
type figureCache struct {
	mu   sync.Mutex
	made map[string]*madeFigures
}

type madeFigures struct {
	at time.Time
	*figures.Figures
}

// figuresOf returns the metrics of a window.
func (s *server) figuresOf(ctx context.Context, w window) (*figures.Figures, error) {
	c := &s.figures
	c.mu.Lock()
	defer c.mu.Unlock()
	now := s.Now()
	if m := c.made[w.Name]; m != nil && now.Sub(m.at) < figureAge && !now.Before(m.at) {
		return m.Figures, nil
	}
	var cost figures.Cost
	if s.Access != nil {
		cost = s.Access.Cost
	}
	f, err := figures.Make(ctx, s.Reports, now, w.Time, w.Slots, cost)
	if err != nil {
		return nil, err
	}
	if c.made == nil {
		c.made = map[string]*madeFigures{}
	}
	c.made[w.Name] = &madeFigures{now, f}
	return f, nil
}

// An overviewPage is the content of the first page.
type overviewPage struct {
	Configured bool
	Window     string
	Windows    []string
	Figures    *figures.Figures // nil without reports, or if they cannot be read
	Health     *healthPart      // nil if Config.Health is nil
	Unread     string           // why Figures is nil
	Used       *access.Total
	Models     []modellist.Row        // models in Figures, lowest success rate first
	Errors     []modellist.ModelFault // errors of these models, most frequent first
	Age        string                 // the window as the age parameter of the request list
}

// overviewRows is the maximum number of rows of each list.
const overviewRows = 12

// setModels sets the lists of models and errors from p.Figures, which are the metrics of the window of.
func (p *overviewPage) setModels(of window) {
	from := modellist.Source{Traces: Root + "traces", While: of.Time}
	rows, _ := from.Rows(p.Figures.Uses)
	modellist.Worst(rows)
	faults := modellist.Faults(rows)
	p.Models, p.Errors, p.Age = rows[:min(len(rows), overviewRows)], faults[:min(len(faults), overviewRows)], from.Age()
}

func (s *server) overview(w http.ResponseWriter, v *visit) {
	p := overviewPage{Configured: s.Reports != nil, Window: windows[0].Name, Health: s.healthPart()}
	of := windows[0]
	for _, one := range windows {
		p.Windows = append(p.Windows, one.Name)
		if one.Name == v.URL.Query().Get("window") {
			p.Window, of = one.Name, one
		}
	}
	ctx, cancel := withSourceTimeout(v.Request)
	defer cancel()
	if s.Access != nil {
		p.Used = &access.Total{}
		for _, u := range s.Access.Usages(ctx) {
			p.Used.USD += u.Total.USD
			p.Used.Requests += u.Total.Requests
			p.Used.Unknown += u.Total.Unknown
		}
	}
	if p.Configured {
		f, err := s.figuresOf(ctx, of)
		if err != nil {
			p.Unread = "The reports cannot be read: " + err.Error()
		}
		if p.Figures = f; f != nil {
			p.setModels(of)
		}
	}
	s.show(w, v, http.StatusOK, "overview", "Overview", &p)
}
