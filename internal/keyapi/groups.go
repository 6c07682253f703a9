package keyapi

import (
	"net/http"
	"net/url"
	"time"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/keyring"
)

// A Group is a group of keys in a response.
type Group struct {
	Name    string     `json:"name" jsonschema:"the name of the group"`
	Source  Source     `json:"source" jsonschema:"state, or configuration for a group that can be changed only there"`
	Created *time.Time `json:"created,omitempty" jsonschema:"the time of the creation; absent for a group of the configuration"`
	Changed *time.Time `json:"changed,omitempty" jsonschema:"the time of the last change; absent for a group of the configuration"`
	keyring.GroupSettings
	Keys  []string           `json:"keys" jsonschema:"the names of its keys"`
	Usage *access.GroupUsage `json:"usage,omitempty" jsonschema:"the usage of the limits by all keys of the group; absent in lists"`
}

// A GroupList is the response with all groups.
type GroupList struct {
	Groups []Group `json:"groups" jsonschema:"first those of the configuration, then the others by name"`
}

// A GroupRequest is the body of a request that creates a group.
type GroupRequest struct {
	Name string `json:"name" jsonschema:"the name of the group: letters, digits, spaces and . _ @ : + -"`
	keyring.GroupSettings
}

// group returns a group of the ring with the names of its keys.
func (a *API) group(g keyring.Group) Group {
	out := stateGroup(g)
	out.Keys = append(out.Keys, a.members()[g.Name]...)
	return out
}

// stateGroup returns a group of the ring without the names of its keys.
func stateGroup(g keyring.Group) Group {
	return Group{Name: g.Name, Source: FromState, Created: &g.Created, Changed: &g.Changed, GroupSettings: g.GroupSettings, Keys: []string{}}
}

// members returns the names of the keys in each group.
func (a *API) members() map[string][]string {
	out := map[string][]string{}
	for _, k := range a.Keys() {
		if k.Group != "" {
			out[k.Group] = append(out[k.Group], k.Name)
		}
	}
	return out
}

// Groups returns all groups: first those of the configuration, then those of the ring by name.
func (a *API) Groups() []Group {
	members, out := a.members(), []Group{}
	for _, g := range a.Gate.ConfiguredGroups() {
		out = append(out, Group{Name: g.Name, Source: FromConfiguration, GroupSettings: keyring.GroupSettingsOf(&g)})
	}
	for _, g := range a.Ring.Groups() {
		if !a.Gate.ConfiguredGroup(g.Name) { // the configured group is used
			out = append(out, stateGroup(g))
		}
	}
	for i := range out {
		out[i].Keys = append([]string{}, members[out[i].Name]...)
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
	name := r.PathValue("name")
	for _, g := range a.Groups() {
		if g.Name == name {
			if u, ok := a.Gate.GroupUsage(r.Context(), name); ok {
				g.Usage = &u
			}
			return answer(w, http.StatusOK, g)
		}
	}
	return keyring.NotFound(keyring.GroupKind, name)
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
