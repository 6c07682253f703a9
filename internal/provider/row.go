package provider

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/callwright/callwright"
)

// A Row holds the facts about a provider: its address, its API, the header of its key.
type Row struct {
	Name string
	// Base is the base address in the form of the wire's official SDK. It is empty if every customer has another.
	Base string
	// Template is such an address with {region} and other names for its parts, where Base is empty, see Config.Vars.
	Template string
	// Cloud is the cloud whose credentials requests may have in place of a key.
	Cloud Cloud
	Wire  callwright.WireName
	// Key is the environment variable that holds the key, Auth the way in which the key is sent.
	Key  string
	Auth Auth
	// Headers are sent with every request. Forward names headers of the client that may travel on, see [Forward].
	Headers map[string]string
	Forward []string
	Quirks  []Quirk
	// Local is set if the provider runs on the user's own machine, where a key is not needed.
	Local bool
	// ModelsPath is the path below Base that lists the models, empty where nothing does.
	ModelsPath string
	// Detailed is set if the list has more facts about models than their names.
	Detailed bool
	// OwnedBy is the owner of models in the list of a server of this kind. It identifies the server under any name.
	OwnedBy string
	// HostsPath is the path below Base of the capabilities of one model's hosts, with {model} for its name, for a provider
	// that forwards requests to several hosts.
	HostsPath string
	// Where a server describes the models that it runs, below Base without /v1 at its end: ShowPath describes one that
	// is named in the body of a POST, PropsPath the one that runs, with {model} for its name, CardsPath all of them.
	ShowPath, PropsPath, CardsPath string
	// Path exchanges the beginning of the wire's paths, for the few that have it elsewhere.
	Path Swap
	// Answers has the paths at which answers are asked for, where these are others than the wire's.
	Answers Paths
	// Partial is set if models that the list lacks can be asked.
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

// Paths are those at which whole and streamed answers are asked for, below the base address and with {model} for the
// model's name.
type Paths struct{ Whole, Stream string }

// of returns the path for a model, "" where the wire's own holds.
func (p Paths) of(name string, stream bool) string {
	path := p.Whole
	if stream {
		path = p.Stream
	}
	return strings.ReplaceAll(path, "{model}", url.PathEscape(name))
}

// fill returns the address of the row with its parts, "" where one of them is missing.
func (row *Row) fill(vars map[string]string) string {
	base := row.Template
	for name, value := range vars {
		base = strings.ReplaceAll(base, "{"+name+"}", value)
	}
	if strings.Contains(base, "{") {
		return ""
	}
	return base
}

// A Cloud is a cloud whose credentials requests may have in place of a key.
type Cloud string

// The clouds.
const (
	AWS    Cloud = "aws"
	Google Cloud = "google"
	Azure  Cloud = "azure"
)

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

// Header returns the header that carries key.
func (a Auth) Header(key string) (name, value string) {
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

// RowOf returns the row by which a provider is asked whose requests have the credentials of a cloud, or of none.
func RowOf(name string, wire callwright.WireName, cloud Cloud) Row {
	return rowFor(name, wire, cloud)
}

// rowFor is rowOf, but that a name that the table does not know, or knows with another wire, has the row of the cloud
// for the wire.
func rowFor(name string, wire callwright.WireName, cloud Cloud) Row {
	if cloud == "" || slices.ContainsFunc(rows, func(r Row) bool { return r.Name == name && (wire == "" || wire == r.Wire) }) {
		return rowOf(name, wire)
	}
	for _, r := range rows {
		alike := wire == callwright.WireResponses && r.Wire == callwright.WireOpenAI // one vendor, one base address
		if r.Cloud == cloud && (wire == "" || wire == r.Wire || alike) {
			r.Name = name
			if wire != "" {
				r.Wire = wire
			}
			return r
		}
	}
	return rowOf(name, wire)
}

// rowOf returns the row of that name, or the default of its API where the table does not know the name, or knows it
// with another API.
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
