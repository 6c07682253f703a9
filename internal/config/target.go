package config

import (
	"fmt"
	"reflect"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/callwright/callwright/internal/config/internal/yamlnode"
	"github.com/callwright/callwright/internal/provider"
)

// A Key is one of several API keys of a provider, with its share of the requests.
type Key struct {
	Key    provider.Secret `json:"key,omitempty" jsonschema:"the key, env:NAME or file:PATH"`
	Weight int             `json:"weight,omitempty" default:"1" jsonschema:"its share of the requests, from 1 to 100"`
}

// A Host is one of several base addresses of a provider, with its share of the requests.
type Host struct {
	URL    string `json:"url,omitempty" example:"http://127.0.0.1:8000/v1" jsonschema:"the base URL"`
	Weight int    `json:"weight,omitempty" default:"1" jsonschema:"its share of the requests, from 1 to 100"`
}

func (k *Key) read(d *decoder, at location) { d.readWeighted(at, reflect.ValueOf(k).Elem()) }

func (h *Host) read(d *decoder, at location) { d.readWeighted(at, reflect.ValueOf(h).Elem()) }

// readWeighted decodes a value, or a mapping with the value and its weight, into the struct v, whose first field is the
// value.
func (d *decoder) readWeighted(at location, v reflect.Value) {
	switch at.node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		d.object(at, v)
	default:
		at.example = v.Type().Field(0).Tag.Get("example")
		d.value(at, v.Field(0))
	}
}

// restoreScalar returns the string node for a list element that the YAML parser wrongly parses as a mapping. In {auth:
// [env:NAME]} the parser takes env:NAME for {env: NAME}. A colon without a following blank does not begin a mapping
// value (https://yaml.org/spec/1.2.2/#733-plain-style).
func restoreScalar(n ast.Node) ast.Node {
	m, ok := n.(*ast.MappingNode)
	if !ok || m.IsFlowStyle || len(m.Values) != 1 {
		return n
	}
	key, value := ast.Node(m.Values[0].Key), m.Values[0].Value
	colon := m.Values[0].Start
	if value == nil || colon == nil || yamlnode.IsQuoted(key) || yamlnode.IsQuoted(value) ||
		value.GetToken().Position.Offset != colon.Position.Offset+1 {
		return n
	}
	if _, scalar := value.(ast.ScalarNode); !scalar {
		return n
	}
	text := key.GetToken().Value + ":" + value.GetToken().Value
	return ast.String(token.String(text, text, key.GetToken().Position))
}

// keys and hosts return the lists Keys and Hosts as the types of package provider.
func (p *Provider) keys() (out []provider.WeightedKey) {
	for _, k := range p.Keys {
		out = append(out, provider.WeightedKey{Key: k.Key, Weight: k.Weight})
	}
	return out
}

func (p *Provider) hosts() (out []provider.WeightedURL) {
	for _, h := range p.Hosts {
		out = append(out, provider.WeightedURL{URL: h.URL, Weight: h.Weight})
	}
	return out
}

// targets reports errors in the lists of API keys and of addresses of a provider. It returns false if it found one.
func (k *checker) targets(path string, p *Provider) bool {
	before := len(k.d.errs)
	seen := map[string]int{}
	for i, key := range p.Keys {
		at := fmt.Sprintf("%s.api_key[%d]", path, i)
		k.entry(at, "key", key.Key.Reveal(), key.Weight, seen, i)
		k.secret(at, key.Key)
	}
	clear(seen)
	for i, h := range p.Hosts {
		at := fmt.Sprintf("%s.base_url[%d]", path, i)
		k.hideUser(h.URL)
		k.entry(at, "url", h.URL, h.Weight, seen, i)
		if err := checkBase(h.URL); err != nil && h.URL != "" {
			k.fail(at, "%v", err)
		}
	}
	if n := max(len(p.Keys), 1) * max(len(p.Hosts), 1); n > provider.MaxTargets {
		k.fail(path, "expected at most %d pairs of a key and a host, got %d: shorten a list", provider.MaxTargets, n)
	}
	return len(k.d.errs) == before
}

// entry reports errors in element i of a list of API keys or addresses. at is its path. name is the name of its value
// in errors. seen maps earlier values to their indexes.
func (k *checker) entry(at, name, value string, weight int, seen map[string]int, i int) {
	_, weighted := k.d.places[at+".weight"]
	first, twice := seen[value]
	switch {
	case value == "":
		k.fail(at, "expected %s, to which the weight belongs", name)
	case twice:
		k.fail(at, "is already element %d of the list: remove the second one, and give the first a weight", first+1)
	case weighted && (weight < 1 || weight > provider.MaxWeight):
		k.fail(at+".weight", "expected a weight from 1 to %d, got %d", provider.MaxWeight, weight)
	}
	seen[value] = i
}
