package provider

import (
	"maps"
	"slices"
	"strings"

	"github.com/callwright/callwright"
)

// A Row is what is known of a provider: where it is, which API it speaks, how it wants its key.
type Row struct {
	Name string
	// Base is the address that the official SDK of the wire takes. It is empty where every customer has another.
	Base string
	Wire callwright.WireName
	// Key is the environment variable that holds the key, Auth the way in which the key is sent.
	Key  string
	Auth Auth
	// Headers are sent with every request. Forward names headers of the client that may travel on, see [Forward].
	Headers map[string]string
	Forward []string
	Quirks  []Quirk
	// Local says that the provider runs on the user's own machine, where a key is not needed.
	Local bool
	// ModelsPath is the path below Base that lists the models, empty where nothing does.
	ModelsPath string
	// Detailed says that the list tells more of models than their names.
	Detailed bool
	// OwnedBy is what a server of this kind names as the owner of its models in its list, by which it is known under any name.
	OwnedBy string
	// HostsPath is the path below Base that tells what the hosts of one model can do, with {model} for its name, where the
	// provider hands requests on to several.
	HostsPath string
	// Where a server describes the models that it runs, below Base without /v1 at its end: ShowPath describes one that is
	// named in the body of a POST, PropsPath the one that runs, with {model} for its name, CardsPath all of them.
	ShowPath, PropsPath, CardsPath string
	// Path exchanges the beginning of the wire's paths, for the few that have it elsewhere.
	Path Swap
	// Partial says that models can be asked that the list lacks.
	Partial bool
	// Beside names the provider that this is another surface of. Without a configuration only that one is looked for.
	Beside string
	Note   string
}

// A Swap puts To in the place of From, where a path begins with it. The zero Swap changes nothing.
type Swap struct{ From, To string }

// Of returns the path with the exchange made.
func (s Swap) Of(path string) string {
	if rest, ok := strings.CutPrefix(path, s.From); ok {
		return s.To + rest
	}
	return path
}

// An Auth is a way to send a key.
type Auth string

// The ways to send a key.
const (
	Bearer       Auth = "bearer"    // Authorization: Bearer KEY
	XAPIKey      Auth = "x-api-key" // x-api-key: KEY
	APIKeyHeader Auth = "api-key"   // api-key: KEY
	XGoogAPIKey  Auth = "x-goog-api-key"
	NoAuth       Auth = "none"
)

// header returns the header that carries key.
func (a Auth) header(key string) (name, value string) {
	switch a {
	case XAPIKey:
		return "X-Api-Key", key
	case APIKeyHeader:
		return "Api-Key", key
	case XGoogAPIKey:
		return "X-Goog-Api-Key", key
	case NoAuth:
		return "", ""
	default:
		return "Authorization", "Bearer " + key
	}
}

// Rows lists the known providers. The caller owns the list.
func Rows() []Row {
	list := slices.Clone(rows)
	for i := range list {
		list[i].Headers = maps.Clone(list[i].Headers)
		list[i].Forward = slices.Clone(list[i].Forward)
		list[i].Quirks = slices.Clone(list[i].Quirks)
	}
	return list
}

// rowOf returns the row of that name, or what its wire asks for where the table does not know the name, or knows it with another
// wire.
func rowOf(name string, wire callwright.WireName) Row {
	bareRow := Row{Wire: wire}
	for _, r := range bare {
		if wire == r.Wire || wire == "" && r.Wire == callwright.WireOpenAI {
			bareRow = r
		}
	}
	bareRow.Name = name
	for _, r := range rows {
		switch {
		case r.Name != name:
		case wire == "" || wire == r.Wire:
			return r
		default:
			bareRow.Key, bareRow.Note = r.Key, "the known address is for wire "+string(r.Wire)
		}
	}
	return bareRow
}
