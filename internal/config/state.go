package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/factfile"
	"github.com/callwright/callwright/internal/secretfile"
	"github.com/goccy/go-yaml/ast"
	"github.com/google/jsonschema-go/jsonschema"
)

// read decodes the address of a NATS server, or a mapping with the address and credentials.
func (n *NATS) read(d *decoder, at location) {
	switch at.node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		type members NATS
		d.object(at, reflect.ValueOf((*members)(n)).Elem())
	default:
		n.URL, _ = d.text(at)
	}
}

// natsSchema returns the JSON Schema of the key state.nats.
func natsSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, structSchema(reflect.TypeFor[NATS]())}}
}

// natsSchemes are the permitted URL schemes of the address of a NATS server.
var natsSchemes = []string{"nats", "tls", "ws", "wss"}

// state reports errors in the settings of state.nats.
func (k *checker) state() {
	const path = "state.nats"
	n := &k.c.State.NATS
	if _, said := k.d.places[path]; !said || k.bad(path) {
		return
	}
	if n.URL == "" {
		k.fail(path, "expected the address of a NATS server, such as nats://host:4222, got none")
		return
	}
	for address := range strings.SplitSeq(n.URL, ",") {
		u, err := url.Parse(strings.TrimSpace(address))
		if err != nil || !slices.Contains(natsSchemes, u.Scheme) || u.Host == "" {
			k.fail(path, "expected the address of a NATS server, such as nats://host:4222, got %q", withoutUser(address))
			continue
		}
		if p, ok := u.User.Password(); ok {
			k.d.secrets = append(k.d.secrets, p)
		}
	}
	if (n.TLS.Cert == "") != (n.TLS.Key == "") {
		k.fail(path, "expected tls.cert and tls.key together, got one of them")
	}
	k.secret(path+".password", n.Password)
}

// Secret returns the password for NATS. It resolves env:NAME with env, and file:PATH by reading the file.
func (n *NATS) Secret(env func(string) (string, bool)) (string, error) {
	password, err := resolveSecret(n.Password, env)
	if err != nil {
		return "", fmt.Errorf("state.nats.password: %w", err)
	}
	return password, nil
}

// CurrentSecret returns a function that returns the present password if the password is in a file, else nil.
func (n *NATS) CurrentSecret() func() string {
	path, ok := n.Password.File()
	if !ok {
		return nil
	}
	return secretfile.New(path, nil).Text
}

// Hosts returns the addresses of the NATS servers, separated by commas, without user names and passwords.
func (n *NATS) Hosts() string {
	var hosts []string
	for address := range strings.SplitSeq(n.URL, ",") {
		if u, err := url.Parse(strings.TrimSpace(address)); err == nil && u.Host != "" {
			hosts = append(hosts, u.Scheme+"://"+u.Host)
		}
	}
	return strings.Join(hosts, ",")
}

// withoutUser returns an address with the user and password before the host replaced by "...".
func withoutUser(address string) string {
	if at := strings.LastIndexByte(address, '@'); at >= 0 {
		return "..." + address[at:]
	}
	return address
}

// The names of the folder of learned facts below state.dir: the one in use, and the one after [TakeOverFacts] has moved
// the facts to another capability store.
const (
	factsFolder = "facts"
	takenOver   = "facts.taken-over"
)

// TakeOverFacts copies the facts about models from the files below dir (state.dir) to another store, except facts that
// the store has already. It then renames the folder so that the files are read only once. It returns the number of
// copied facts, 0 if the folder does not exist.
func TakeOverFacts(ctx context.Context, dir string, to caps.Store) (n int, err error) {
	folder := filepath.Join(dir, factsFolder)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	from, err := factfile.Open(folder, nil)
	if err != nil {
		return 0, err
	}
	models, err := from.Models(ctx)
	if err != nil {
		return 0, err
	}
	for _, model := range models {
		facts, err := from.Facts(ctx, model)
		if err != nil {
			return n, err
		}
		known, err := to.Facts(ctx, model)
		if err != nil {
			return n, err
		}
		for _, f := range facts {
			if slices.ContainsFunc(known, func(k caps.Fact) bool { return k.Key == f.Key && k.Source == f.Source }) {
				continue
			}
			if err := to.Learn(ctx, model, f); err != nil {
				return n, err
			}
			n++
		}
	}
	return n, os.Rename(folder, filepath.Join(dir, takenOver))
}
