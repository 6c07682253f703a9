package dashboard

import (
	"net/http"
	"time"

	"github.com/callwright/callwright/access"
)

// windows are the times that the overview may be of.
var windows = []struct {
	Name string
	Time time.Duration
}{{"hour", time.Hour}, {"day", 24 * time.Hour}, {"week", 7 * 24 * time.Hour}}

// An overviewPage is what the first page shows.
type overviewPage struct {
	Window   string
	Windows  []string
	Figures  *figures // nil without reports
	Problems []string
	Watched  bool // somebody says what is wrong
	Used     *access.Total
}

func (s *server) overview(w http.ResponseWriter, v *visit) {
	p := overviewPage{Window: windows[0].Name, Watched: s.Health != nil}
	while := windows[0].Time
	for _, one := range windows {
		p.Windows = append(p.Windows, one.Name)
		if one.Name == v.URL.Query().Get("window") {
			p.Window, while = one.Name, one.Time
		}
	}
	ctx, cancel := bounded(v.Request)
	defer cancel()
	if s.Health != nil {
		p.Problems = s.Health()
	}
	if s.Access != nil {
		p.Used = &access.Total{}
		for _, u := range s.Access.Usages(ctx) {
			p.Used.USD += u.Total.USD
			p.Used.Requests += u.Total.Requests
			p.Used.Unknown += u.Total.Unknown
		}
	}
	if s.Reports != nil {
		f, err := s.figuresOf(ctx, while)
		if err != nil {
			p.Problems = append(p.Problems, "the reports cannot be read: "+err.Error())
		}
		p.Figures = f
	}
	s.show(w, v, http.StatusOK, "overview", "Overview", &p)
}
