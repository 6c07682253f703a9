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

// modelRows is the maximum number of unused models on a page, and also of used models.
const modelRows = 100

// A modelsPage lists models.
type modelsPage struct {
	Configured bool     // Config.Models is set
	Counted    bool     // Config.Reports is set, so that used models are known
	Unread     string   // why the reports could not be read, "" for none
	Window     string   // name of the shown time span
	Windows    []string // names of the selectable time spans
	Used       []modellist.Row
	More       int     // number of used models that are not shown
	Cut        int     // number of latest requests that are counted, 0 if all are
	Others     []Model // shown unused models
	Search     string  // part of the names of the unused models
	Found      int     // number of unused models
	From, To   int
	Earlier    string // URL of the previous unused models, "" for none
	Later      string // URL of the next unused models, "" for none
	Open       bool   // the list of unused models is expanded
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

// showOthers fills the list of unused models with at most modelRows of others, from the index in the form value "from".
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

// at returns the URL of the page whose unused models begin at index n.
func (p *modelsPage) at(n int) string {
	return Root + "models?" + url.Values{"search": {p.Search}, "window": {p.Window}, "from": {strconv.Itoa(n)}}.Encode()
}

// A modelPage shows the known facts about a model.
type modelPage struct {
	Configured bool
	Model      Model
	Targets    []health.Target // keys and hosts of its provider, if there are several
	Facts      []factRow
	Keys       []string // keys of facts
	Changeable bool     // the visitor may change facts
}

// A factRow is an effective fact.
type factRow struct {
	Key, Value, Source string
	Found              *caps.Fact // stored fact with this value, nil if it comes from another source
	Override           bool
	Under              string // value hidden by an override, such as "no (configured)", or ""
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

// targetsOf returns the keys and hosts of a model's provider, if there are several. Their limits are only those of the
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

// factRows lists the effective facts with their sources, sorted by key.
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

// maxDays is the maximum lifetime of an override in days.
const maxDays = 3650

// changeFacts removes a learned fact, sets an override, or removes an override.
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
			"expected the operation forget, set or drop, got %q", callwright.Excerpt(do))
	}
	if err != nil {
		s.writeErrorPage(w, v.Request, err)
		return
	}
	http.Redirect(w, v.Request, (&url.URL{Path: Root + "models/" + name}).String(), http.StatusSeeOther)
}

// dropOverride removes an override of a fact, if there is one: it stores the override again, with the current time as
// its expiry.
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

// factOf returns the override entered in a form.
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
			return f, callwright.Errorf("", callwright.KindInvalid, "",
				"days: expected 1 to %d, or an empty field for an override without an end, got %q",
				maxDays, callwright.Excerpt(text))
		}
		f.Expires = now.Add(time.Duration(days) * 24 * time.Hour)
	}
	if _, err := (caps.Caps{}).With(f); err != nil {
		return f, &callwright.Error{Kind: callwright.KindInvalid, Err: err}
	}
	return f, nil
}
