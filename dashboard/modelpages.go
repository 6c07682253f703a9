package dashboard

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/access"
	"github.com/callwright/callwright/caps"
)

// modelRows is how many models stand on a page.
const modelRows = 100

// A modelsPage lists models.
type modelsPage struct {
	Configured bool
	Rows       []Model
	Search     string
	All, Found int
	From, To   int
	Earlier    string
	Later      string
}

func (s *server) models(w http.ResponseWriter, v *visit) {
	form := v.URL.Query()
	p := &modelsPage{Configured: s.Models != nil, Search: form.Get("search")}
	if p.Configured {
		ctx, cancel := bounded(v.Request)
		defer cancel()
		all := s.Models.All(ctx)
		p.All = len(all)
		var found []Model
		for _, m := range all {
			if strings.Contains(strings.ToLower(string(m.Name)), strings.ToLower(p.Search)) {
				found = append(found, m)
			}
		}
		p.Found = len(found)
		from, _ := strconv.Atoi(form.Get("from"))
		from = min(max(from, 0), len(found))
		to := min(from+modelRows, len(found))
		p.Rows, p.From, p.To = found[from:to], from+1, to
		if from > 0 {
			p.Earlier = modelsFrom(p.Search, max(from-modelRows, 0))
		}
		if to < len(found) {
			p.Later = modelsFrom(p.Search, to)
		}
	}
	s.show(w, v, http.StatusOK, "models", "Models", p)
}

func modelsFrom(search string, n int) string {
	return Root + "models?" + url.Values{"search": {search}, "from": {strconv.Itoa(n)}}.Encode()
}

// A modelPage shows what is known of a model.
type modelPage struct {
	Configured bool
	Model      Model
	Facts      []factRow
	Keys       []string // of facts
	Changeable bool
}

// A factRow is a fact that holds.
type factRow struct {
	Key, Value, Source string
	Found              *caps.Fact // that says so, nil where the source is another
}

func (s *server) model(w http.ResponseWriter, v *visit) {
	p := &modelPage{Configured: s.Models != nil, Keys: caps.Keys(), Changeable: s.Facts != nil && v.may(access.Admin)}
	if p.Configured {
		ctx, cancel := bounded(v.Request)
		defer cancel()
		p.Model = s.Models.One(ctx, callwright.ModelID(v.PathValue("name")))
		p.Facts = factRows(&p.Model)
	}
	s.show(w, v, http.StatusOK, "model", "Model "+v.PathValue("name"), p)
}

// factRows lists the facts that hold, each with where it comes from.
func factRows(m *Model) []factRow {
	var out []factRow
	for _, key := range slices.Sorted(maps.Keys(m.Facts)) {
		row := factRow{Key: key, Value: m.Facts[key]}
		if at := strings.LastIndex(row.Value, " ("); at >= 0 && strings.HasSuffix(row.Value, ")") {
			row.Value, row.Source = row.Value[:at], row.Value[at+2:len(row.Value)-1]
		}
		for i := range m.Found {
			if f := &m.Found[i]; f.Key == key && f.Source.String() == row.Source && f.Value == row.Value {
				row.Found = f
			}
		}
		out = append(out, row)
	}
	return out
}

// changeFacts forgets a fact, or sets one over all that was found.
func (s *server) changeFacts(w http.ResponseWriter, v *visit) {
	if s.Facts == nil {
		s.problem(w, v.Request, http.StatusNotFound, "Facts cannot be changed here.")
		return
	}
	ctx, cancel := bounded(v.Request)
	defer cancel()
	name, key := v.PostForm.Get("model"), v.PostForm.Get("key")
	var err error
	switch v.PostForm.Get("do") {
	case "forget":
		err = s.Facts.Forget(ctx, callwright.ModelID(name), key)
	case "set":
		f := caps.Fact{Key: key, Value: strings.TrimSpace(v.PostForm.Get("value")), Source: caps.Configured, Seen: s.Now(), Evidence: "set on the dashboard"}
		if days, err := strconv.Atoi(v.PostForm.Get("days")); err == nil && days > 0 && days < 3660 {
			f.Expires = s.Now().Add(time.Duration(days) * 24 * time.Hour)
		}
		if _, err = (caps.Caps{}).With(f); err == nil {
			err = s.Facts.Learn(ctx, callwright.ModelID(name), f)
		} else {
			s.problem(w, v.Request, http.StatusBadRequest, err.Error())
			return
		}
	default:
		s.problem(w, v.Request, http.StatusBadRequest, "Expected to forget a fact or to set one.")
		return
	}
	if err != nil {
		s.failed(w, v.Request, err)
		return
	}
	http.Redirect(w, v.Request, (&url.URL{Path: Root + "models/" + name}).String(), http.StatusSeeOther)
}
