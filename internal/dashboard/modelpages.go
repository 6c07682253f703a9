package dashboard

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/dashboard/internal/figures"
	"github.com/callwright/callwright/internal/dashboard/internal/modellist"
	"github.com/callwright/callwright/internal/health"
)

// modelRows is how many models that were not used stand on a page, and how many of those that were used.
const modelRows = 100

// A modelsPage lists models.
type modelsPage struct {
	Configured bool // it is known which models there are
	Counted    bool // it is known which models were used
	Unread     string
	Window     string
	Windows    []string
	Used       []modellist.Row
	More       int // models that were used and are not shown
	Cut        int // how many of the latest requests are counted, 0 where all are
	Others     []Model
	Search     string
	Found      int // models that were not used
	From, To   int
	Earlier    string
	Later      string
	Open       bool // those that were not used are shown at once
}

func (s *server) models(w http.ResponseWriter, v *visit) {
	form := v.URL.Query()
	p := &modelsPage{Configured: s.Models != nil, Counted: s.Reports != nil, Search: form.Get("search")}
	of := windows[1]
	for _, one := range windows {
		if p.Windows = append(p.Windows, one.Name); one.Name == form.Get("window") {
			of = one
		}
	}
	p.Window = of.Name
	ctx, cancel := withSourceTimeout(v.Request)
	defer cancel()
	from := modellist.Source{Traces: Root + "traces", While: of.Time}
	if s.Models != nil {
		from.Listed = s.Models.All(ctx)
		from.One = func(name callwright.ModelID) Model { return s.Models.One(ctx, name) }
	}
	if s.Access != nil {
		from.Price = s.Access.Price
	}
	var uses []figures.Use
	if p.Counted {
		f, err := s.figuresOf(ctx, of)
		if err != nil {
			p.Counted, p.Unread = false, "The reports cannot be read: "+err.Error()
		} else {
			uses = modellist.Matching(f.Uses, func(u *figures.Use) callwright.ModelID { return u.Model }, p.Search)
			p.More = max(len(uses)-modelRows, 0)
			if f.Cut {
				p.Cut = f.Requests
			}
		}
	}
	var others []Model
	p.Used, others = from.Rows(uses)
	p.Used = p.Used[:len(p.Used)-p.More]
	p.showOthers(modellist.Matching(others, func(m *Model) callwright.ModelID { return m.Name }, p.Search), form)
	s.show(w, v, http.StatusOK, "models", "Models", p)
}

// showOthers puts a page of the models that were not used on the page.
func (p *modelsPage) showOthers(others []Model, form url.Values) {
	p.Found = len(others)
	from, _ := strconv.Atoi(form.Get("from"))
	from = min(max(from, 0), len(others))
	to := min(from+modelRows, len(others))
	p.Others, p.From, p.To = others[from:to], from+1, to
	p.Open = len(p.Used) == 0 || p.Search != "" || form.Has("from")
	if from > 0 {
		p.Earlier = p.at(max(from-modelRows, 0))
	}
	if to < len(others) {
		p.Later = p.at(to)
	}
}

// at returns the address of the page whose models that were not used begin with one.
func (p *modelsPage) at(n int) string {
	return Root + "models?" + url.Values{"search": {p.Search}, "window": {p.Window}, "from": {strconv.Itoa(n)}}.Encode()
}

// A modelPage shows the known facts of a model.
type modelPage struct {
	Configured bool
	Model      Model
	Targets    []health.Target // the keys and hosts of its provider, where that has several
	Facts      []factRow
	Keys       []string // of facts
	Changeable bool
}

// A factRow is a fact that holds.
type factRow struct {
	Key, Value, Source string
	Found              *caps.Fact // that says so, nil where the source is another
	Override           bool
	Under              string // what an override stands over, such as "no (configured)"; empty where nothing is known
}

func (s *server) model(w http.ResponseWriter, v *visit) {
	p := &modelPage{Configured: s.Models != nil, Keys: caps.Keys(), Changeable: s.Facts != nil && v.may(access.Admin)}
	if p.Configured {
		ctx, cancel := withSourceTimeout(v.Request)
		defer cancel()
		p.Model = s.Models.One(ctx, callwright.ModelID(v.PathValue("name")))
		p.Facts = factRows(&p.Model)
		p.Targets = s.targetsOf(&p.Model)
	}
	s.show(w, v, http.StatusOK, "model", "Model "+v.PathValue("name"), p)
}

// targetsOf returns the keys and hosts of a model's provider, where that has several. Their limits are those of the
// model.
func (s *server) targetsOf(m *Model) (out []health.Target) {
	if s.Health == nil {
		return nil
	}
	id := cmp.Or(m.Target, m.Name)
	name, _ := id.Split()
	for _, t := range s.Health().Targets {
		if t.Provider != name {
			continue
		}
		t.Limited = slices.DeleteFunc(slices.Clone(t.Limited), func(l health.TargetLimit) bool { return l.Model != id })
		out = append(out, t)
	}
	return out
}

// factRows lists the facts that hold, each with where it comes from.
func factRows(m *Model) []factRow {
	var out []factRow
	for _, key := range slices.Sorted(maps.Keys(m.Facts)) {
		row := factRow{Key: key, Value: m.Facts[key]}
		if at := strings.LastIndex(row.Value, " ("); at >= 0 && strings.HasSuffix(row.Value, ")") {
			row.Value, row.Source = row.Value[:at], row.Value[at+2:len(row.Value)-1]
		}
		row.Override, row.Under = row.Source == caps.Override.String(), m.Overridden[key]
		for i := range m.Found {
			if f := &m.Found[i]; f.Key == key && f.Source.String() == row.Source && f.Value == row.Value {
				row.Found = f
			}
		}
		out = append(out, row)
	}
	return out
}

// maxDays bounds for how many days a fact may be set.
const maxDays = 3650

// changeFacts forgets a fact, sets an override, or drops one.
func (s *server) changeFacts(w http.ResponseWriter, v *visit) {
	if s.Facts == nil {
		s.problem(w, v.Request, http.StatusNotFound, "Facts cannot be changed here.")
		return
	}
	ctx, cancel := withSourceTimeout(v.Request)
	defer cancel()
	name, key := v.PostForm.Get("model"), v.PostForm.Get("key")
	var err error
	switch do := v.PostForm.Get("do"); do {
	case "forget":
		err = s.Facts.Forget(ctx, callwright.ModelID(name), key)
	case "set":
		var f caps.Fact
		if f, err = factOf(v, s.Now()); err == nil {
			err = s.Facts.Learn(ctx, callwright.ModelID(name), f)
		}
	case "drop":
		err = s.dropOverride(ctx, callwright.ModelID(name), key)
	default:
		err = callwright.Errorf("", callwright.KindInvalid, "",
			"expected to forget a fact, to set an override or to drop one, got %q", callwright.Excerpt(do))
	}
	if err != nil {
		s.writeErrorPage(w, v.Request, err)
		return
	}
	http.Redirect(w, v.Request, (&url.URL{Path: Root + "models/" + name}).String(), http.StatusSeeOther)
}

// dropOverride ends an override now: the learned facts in its place have ended. Discovered facts stay, and hold again.
func (s *server) dropOverride(ctx context.Context, name callwright.ModelID, key string) error {
	if s.Models == nil {
		return nil
	}
	for _, f := range s.Models.One(ctx, name).Found {
		if f.Key == key && f.Source == caps.Override {
			f.Expires = s.Now()
			return s.Facts.Learn(ctx, name, f)
		}
	}
	return nil
}

// factOf returns the override that a form sets.
func factOf(v *visit, now time.Time) (caps.Fact, error) {
	form := v.PostForm
	f := caps.Fact{Key: form.Get("key"), Value: strings.TrimSpace(form.Get("value")), Source: caps.Override, Seen: now,
		Evidence: "set on the dashboard"}
	if who := v.name(); who != "" {
		f.Evidence += " by " + who
	}
	if text := strings.TrimSpace(form.Get("days")); text != "" {
		days, err := strconv.Atoi(text)
		if err != nil || days < 1 || days > maxDays {
			return f, callwright.Errorf("", callwright.KindInvalid, "", "expected 1 to %d days, or nothing for ever, got %q",
				maxDays, callwright.Excerpt(text))
		}
		f.Expires = now.Add(time.Duration(days) * 24 * time.Hour)
	}
	if _, err := (caps.Caps{}).With(f); err != nil {
		return f, &callwright.Error{Kind: callwright.KindInvalid, Err: err}
	}
	return f, nil
}
