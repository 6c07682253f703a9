package provider

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/callwright/callwright"
)

// A Row contains the facts about a built-in provider: its address, its API, the header of its key.
type Row struct {
	Name string
	// Base is the base address as the official SDK of the API expects it. It is empty if each customer has a different
	// one.
	Base string
	// Template is a base address with variables such as {region}, if Base is empty. See Config.Vars.
	Template string
	// Cloud is the cloud whose credentials can replace the API key.
	Cloud Cloud
	Wire  callwright.WireName
	// Key is the environment variable with the API key. Auth is the header in which the key is sent.
	Key  string
	Auth Auth
	// Headers are sent with every request. Forward names header fields of the client's request that are forwarded, see
	// [Forward].
	Headers map[string]string
	Forward []string
	Quirks  []Quirk
	// Local reports whether the provider runs on the user's machine, where a key is not needed.
	Local bool
	// ModelsPath is the path of the model list relative to Base. It is empty if there is no list.
	ModelsPath string
	// Detailed reports whether the list contains facts about models besides their names.
	Detailed bool
	// OwnedBy is the value of owned_by in the model lists of this type of server. It identifies the server under any
	// provider name.
	OwnedBy string
	// HostsPath is the path, relative to Base, of the descriptions of a model's hosts, with {model} for its name. Only
	// providers that forward requests to several hosts have it.
	HostsPath string
	// Paths of descriptions of models, relative to Base without /v1 at its end. ShowPath describes the model in the body
	// of a POST, PropsPath the running model, with {model} for its name, CardsPath all models.
	ShowPath, PropsPath, CardsPath string
	// Path replaces the beginning of the API's paths, for providers with different paths.
	Path Swap
	// Answers are the paths of requests for responses, if they differ from the API's paths.
	Answers Paths
	// Partial reports whether models that the list lacks can be requested.
	Partial bool
	// Beside is the name of another provider with the same servers and key, for providers with two APIs. Discovery without
	// a configuration uses only that one.
	Beside string
	Note   string
}

// A Swap replaces From by To at the beginning of a path. The zero Swap changes nothing.
type Swap struct{ From, To string }

// Of returns the path with From replaced by To.
func (s Swap) Of(path string) string {
	if rest, ok := strings.CutPrefix(path, s.From); ok {
		return s.To + rest
	}
	return path
}

// Paths are the paths for requests of complete and streamed responses, relative to the base address, with {model} for
// the model's name.
type Paths struct{ Whole, Stream string }

// of returns the path for a model, or "" if the path of the API applies.
func (p Paths) of(name string, stream bool) string {
	path := p.Whole
	if stream {
		path = p.Stream
	}
	return strings.ReplaceAll(path, "{model}", url.PathEscape(name))
}

// fill returns Template with its variables replaced, or "" if a variable is missing.
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

// A Cloud is a cloud provider whose credentials can replace an API key.
type Cloud string

// The values of Cloud.
const (
	AWS    Cloud = "aws"
	Google Cloud = "google"
	Azure  Cloud = "azure"
)

// An Auth is the header in which an API key is sent.
type Auth string

// The values of Auth.
const (
	Bearer       Auth = "bearer"    // Authorization: Bearer KEY
	XAPIKey      Auth = "x-api-key" // x-api-key: KEY
	APIKeyHeader Auth = "api-key"   // api-key: KEY
	XGoogAPIKey  Auth = "x-goog-api-key"
	NoAuth       Auth = "none"
)

// Header returns the header field for key. name is "" for NoAuth.
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

// Rows returns the built-in providers. The caller may modify the list.
func Rows() []Row {
	list := slices.Clone(rows)
	for i := range list {
		list[i].Headers = maps.Clone(list[i].Headers)
		list[i].Forward = slices.Clone(list[i].Forward)
		list[i].Quirks = slices.Clone(list[i].Quirks)
	}
	return list
}

// RowOf returns the row for the provider called name with the API wire. cloud is the cloud whose credentials its
// requests carry, "" for none.
func RowOf(name string, wire callwright.WireName, cloud Cloud) Row {
	return rowFor(name, wire, cloud)
}

// rowFor returns rowOf(name, wire). For a cloud, if no row has that name and API, it returns the cloud's row for the
// API with the name set.
func rowFor(name string, wire callwright.WireName, cloud Cloud) Row {
	if cloud == "" || slices.ContainsFunc(rows, func(r Row) bool { return r.Name == name && (wire == "" || wire == r.Wire) }) {
		return rowOf(name, wire)
	}
	for _, r := range rows {
		alike := wire == callwright.WireResponses && r.Wire == callwright.WireOpenAI // both APIs of a vendor have the same base address
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

// rowOf returns the row of the built-in provider with that name and API. If there is none, it returns the default row
// of the API with the name set.
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
			bareRow.Key, bareRow.Note = r.Key, "the built-in address is for wire "+string(r.Wire)
		}
	}
	return bareRow
}
