package config_test

import (
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/signature"
)

// An askedSignatures counts how often it is asked.
type askedSignatures struct {
	signature.Store
	asked atomic.Int64
}

func (v *askedSignatures) Holds(model string) bool {
	v.asked.Add(1)
	return v.Store.Holds(model)
}

// A registry that is given a capability store and a signature store keeps nothing in others, whatever folder the configuration names.
func TestRegistryKeepsWhereItIsTold(t *testing.T) {
	capsStore, kept := caps.NewMemory(nil), &askedSignatures{Store: signature.NewMemory(nil, signature.Limits{})}
	dir := t.TempDir()
	r := registry(t, parse(t, "providers: {sim: {}}\nstate: {dir: "+filepath.ToSlash(dir)+"}"), config.WithCapsStore(capsStore), config.WithSignatures(kept))
	if err := r.Learn(t.Context(), "sim/native", []caps.Fact{{Key: "max_tools", Value: "7", Source: caps.Probed}}); err != nil {
		t.Fatal(err)
	}
	client, err := r.Resolve("sim/native")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Generate(t.Context(), &callwright.Request{Model: "sim/native", Messages: []callwright.Message{callwright.UserText("Hello")}}); err != nil {
		t.Fatal(err)
	}
	facts, err := capsStore.Facts(t.Context(), "sim/native")
	if err != nil || len(facts) != 1 || kept.asked.Load() == 0 {
		t.Errorf("the shelf has %v (%v), the vault was asked %d times", facts, err, kept.asked.Load())
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) != 0 {
		t.Errorf("in the folder are %v (%v)", left, err)
	}
}
