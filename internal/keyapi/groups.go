package keyapi

import (
	"net/http"
	"net/url"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/keyring"
)

// A Group is a group of keys.
type Group struct {
	keyring.Group
	Keys  []string           `json:"keys" jsonschema:"the names of its keys"`
	Usage *access.GroupUsage `json:"usage,omitempty" jsonschema:"what its keys used together of its limits; absent in lists"`
}

// A GroupList is all groups.
type GroupList struct {
	Groups []Group `json:"groups" jsonschema:"by name"`
}

// A GroupRequest makes a group.
type GroupRequest struct {
	Name string `json:"name" jsonschema:"the name of the group: letters, digits, spaces and . _ @ : + -"`
	keyring.GroupSettings
}

// group returns a group as it is shown.
func (a *API) group(g keyring.Group) Group {
	out := Group{Group: g, Keys: []string{}}
	for _, k := range a.Ring.List() {
		if k.Group == g.Name {
			out.Keys = append(out.Keys, k.Name)
		}
	}
	return out
}

// Groups returns all groups, by name.
func (a *API) Groups() []Group {
	members := map[string][]string{}
	for _, k := range a.Ring.List() {
		members[k.Settings.Group] = append(members[k.Settings.Group], k.Name)
	}
	out := []Group{}
	for _, g := range a.Ring.Groups() {
		out = append(out, Group{Group: g, Keys: append([]string{}, members[g.Name]...)})
	}
	return out
}

func (a *API) listGroups(w http.ResponseWriter, _ *http.Request, _ *request) error {
	return answer(w, http.StatusOK, GroupList{a.Groups()})
}

func (a *API) createGroup(w http.ResponseWriter, r *http.Request, in *request) error {
	var group GroupRequest
	if err := keyring.Decode(in.body, &group); err != nil {
		return err
	}
	g, err := a.Ring.CreateGroup(r.Context(), in.caller.Name, group.Name, group.GroupSettings)
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/callwright/groups/"+url.PathEscape(g.Name))
	return answer(w, http.StatusCreated, a.group(g))
}

func (a *API) showGroup(w http.ResponseWriter, r *http.Request, _ *request) error {
	g, err := a.Ring.Group(r.PathValue("name"))
	if err != nil {
		return err
	}
	out := a.group(g)
	if u, ok := a.Gate.GroupUsage(r.Context(), g.Name); ok {
		out.Usage = &u
	}
	return answer(w, http.StatusOK, out)
}

func (a *API) changeGroup(w http.ResponseWriter, r *http.Request, in *request) error {
	g, err := a.Ring.ChangeGroup(r.Context(), in.caller.Name, r.PathValue("name"), in.body)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, a.group(g))
}

func (a *API) deleteGroup(w http.ResponseWriter, r *http.Request, in *request) error {
	if err := a.Ring.DeleteGroup(r.Context(), in.caller.Name, r.PathValue("name")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
