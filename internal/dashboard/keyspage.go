package dashboard

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/dashboard/internal/keyform"
	"github.com/callwright/callwright/internal/keyapi"
	"github.com/callwright/callwright/internal/keyring"
	"github.com/callwright/callwright/internal/ledger"
)

// A keysPage shows the scope and usage of each key, and forms to change keys that were created at run time.
type keysPage struct {
	Configured bool // Config.Access is set
	Open       bool // no key is required
	Changeable bool // the visitor may create and change keys
	Keys       []shownKey
	Groups     []keyapi.Group
	Verbs      []access.Verb
	Secret     string // secret of a key that was just created, otherwise ""
	SecretOf   string // name of that key
	Used       *usedTable
	Audit      []keyring.Event
}

// A shownKey is a key with its usage.
type shownKey struct {
	access.Usage
	Key *keyapi.Key // nil if Config.Keys is nil or does not have the key
	// Form has the settings as values of the key form.
	Form keyform.Form
}

// Name returns the name of the key, "" if no key is required.
func (k *shownKey) Name() string { return k.Usage.Key }

// Own reports whether the key can be changed on this page.
func (k *shownKey) Own() bool { return k.Key != nil && k.Key.Source == keyapi.FromState }

// A usedTable is a usage table with the form that selects it.
type usedTable struct {
	*ledger.Table
	Columns  []usedColumn
	From, To string
	Problem  string
	CSV      string // URL of the table as CSV
}

// A usedColumn is a column by which a table can be grouped.
type usedColumn struct {
	Name    ledger.Column
	Checked bool
}

func (s *server) keys(w http.ResponseWriter, v *visit) { s.showKeys(w, v, http.StatusOK, "", "") }

// showKeys writes the page. name and secret are those of a key that was just created, otherwise "".
func (s *server) showKeys(w http.ResponseWriter, v *visit, status int, name, secret string) {
	p := &keysPage{Configured: s.Access != nil, Open: s.open(), Verbs: access.Verbs(), Secret: secret, SecretOf: name}
	ctx, cancel := withSourceTimeout(v.Request)
	defer cancel()
	if s.Access != nil {
		p.Keys = s.shownKeys(ctx)
	}
	if s.Keys != nil {
		p.Groups = s.Keys.Groups()
		p.Used = s.readUsageTable(ctx, v.URL.Query())
		if p.Changeable = v.may(access.Admin); p.Changeable {
			p.Audit, _ = s.Keys.Ring.Audit(ctx, keyring.Query{Limit: shownEvents}) // each page shows an unavailable store
		}
	}
	s.show(w, v, status, "keys", "Keys and usage", p)
}

// shownEvents is the number of changes on the page.
const shownEvents = 20

// shownKeys returns the keys with their usage.
func (s *server) shownKeys(ctx context.Context) (out []shownKey) {
	byName := map[string]*keyapi.Key{}
	if s.Keys != nil {
		keys := s.Keys.Keys()
		for i := range keys {
			byName[keys[i].Name] = &keys[i]
		}
	}
	for _, u := range s.Access.Usages(ctx) {
		k := shownKey{Usage: u, Key: byName[u.Key]}
		if k.Key != nil {
			k.Form = keyform.Of(&k.Key.Settings)
		}
		out = append(out, k)
	}
	return out
}

// readUsageTable returns the usage table for the parameters of a query.
func (s *server) readUsageTable(ctx context.Context, v url.Values) *usedTable {
	t := &usedTable{From: v.Get("from"), To: v.Get("to")}
	by := v["by"]
	if len(by) == 0 {
		by = []string{string(ledger.ByKey)}
	}
	columns, err := ledger.ParseColumns(strings.Join(by, ","))
	if err == nil {
		t.Table, err = s.Keys.Book.Table(ctx, ledger.Query{By: columns, From: t.From, To: t.To})
	}
	if err != nil {
		t.Problem = err.Error()
	}
	for _, c := range ledger.Columns() {
		one := usedColumn{Name: c}
		for _, chosen := range columns {
			one.Checked = one.Checked || chosen == c
		}
		t.Columns = append(t.Columns, one)
	}
	t.CSV = Root + "keys/usage.csv?" + url.Values{"by": by, "from": {t.From}, "to": {t.To}}.Encode()
	return t
}

// usageCSV writes the usage table as CSV.
func (s *server) usageCSV(w http.ResponseWriter, v *visit) {
	if s.Keys == nil {
		s.problem(w, v.Request, http.StatusNotFound, "No usage is kept here.")
		return
	}
	ctx, cancel := withSourceTimeout(v.Request)
	defer cancel()
	t := s.readUsageTable(ctx, v.URL.Query())
	if t.Table == nil {
		s.problem(w, v.Request, http.StatusBadRequest, t.Problem)
		return
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8; header=present")
	w.Header().Set("Content-Disposition", `attachment; filename="usage.csv"`)
	_ = t.WriteCSV(w) // fails if the client has left
}

// changeKeys creates, changes or deletes a key or a group.
func (s *server) changeKeys(w http.ResponseWriter, v *visit) {
	if s.Keys == nil {
		s.problem(w, v.Request, http.StatusNotFound, "Keys cannot be changed here.")
		return
	}
	ctx, cancel := withSourceTimeout(v.Request)
	defer cancel()
	name, secret := strings.TrimSpace(v.PostForm.Get("name")), ""
	var err error
	switch ring, who := s.Keys.Ring, v.name(); v.PostForm.Get("do") {
	case "create":
		var settings keyring.Settings
		if settings, err = keyform.Settings(v.PostForm); err == nil {
			_, secret, err = ring.Create(ctx, who, name, settings)
		}
	case "change":
		var patch []byte
		if patch, err = keyform.Patch(v.PostForm); err == nil {
			_, err = ring.Change(ctx, who, name, patch)
		}
	case "disable":
		_, err = ring.Change(ctx, who, name, []byte(`{"disabled":true}`))
	case "enable":
		_, err = ring.Change(ctx, who, name, []byte(`{"disabled":false}`))
	case "rotate":
		var overlap time.Duration
		if overlap, err = time.ParseDuration(v.PostForm.Get("overlap")); err != nil {
			err = callwright.Errorf("", callwright.KindInvalid, "", "expected a duration such as 24h, got %q",
				callwright.Excerpt(v.PostForm.Get("overlap")))
		} else {
			_, secret, err = ring.Rotate(ctx, who, name, overlap)
		}
	case "delete":
		err = ring.Delete(ctx, who, name)
	default:
		err = s.changeGroups(ctx, v, name)
	}
	switch {
	case err != nil:
		s.writeErrorPage(w, v.Request, err)
	case secret != "":
		s.showKeys(w, v, http.StatusOK, name, secret)
	default:
		http.Redirect(w, v.Request, Root+"keys", http.StatusSeeOther)
	}
}

// changeGroups creates, changes or deletes a group.
func (s *server) changeGroups(ctx context.Context, v *visit, name string) error {
	do := v.PostForm.Get("do")
	switch do {
	case "create group", "change group":
	case "delete group":
		return s.Keys.Ring.DeleteGroup(ctx, v.name(), name)
	default:
		return callwright.Errorf("", callwright.KindInvalid, "", "expected an operation on a key or a group, got %q", callwright.Excerpt(do))
	}
	bounds, patch, err := keyform.Bounds(v.PostForm)
	if err != nil {
		return err
	}
	if do == "create group" {
		_, err = s.Keys.Ring.CreateGroup(ctx, v.name(), name, keyring.GroupSettings{Bounds: bounds})
		return err
	}
	_, err = s.Keys.Ring.ChangeGroup(ctx, v.name(), name, patch)
	return err
}
