package access_test

import (
	"fmt"
	"testing"

	"github.com/callwright/callwright/internal/access"
)

// The busiest keys are those with the most requests; of the others the sum is told, and of keys that nobody used nothing.
func TestBusiest(t *testing.T) {
	var keys []access.Key
	for i := range 5 {
		keys = append(keys, access.Key{Name: fmt.Sprintf("k%d", i), Hash: access.HashOf(fmt.Sprintf("secret%d", i))})
	}
	g := newGate(t, access.Config{Keys: keys})
	for i := range 4 {
		c := caller(t, g, fmt.Sprintf("secret%d", i))
		for range i + 1 {
			if err := c.CountRequest(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	list, others := g.Busiest(t.Context(), 2)
	if len(list) != 2 || list[0].Key != "k3" || list[1].Key != "k2" || list[0].Total.Requests != 4 || others.Requests != 3 {
		t.Errorf("got %v, others %v", list, others)
	}
	open := newGate(t, access.Config{})
	if list, others := open.Busiest(t.Context(), 2); len(list) != 1 || list[0].Key != "" || others.Requests != 0 {
		t.Errorf("without keys: got %v, others %v", list, others)
	}
}
