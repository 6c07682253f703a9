package freeport_test

import (
	"net"
	"testing"

	"github.com/callwright/callwright/internal/freeport"
)

// What is found differs, and can be listened at.
func TestFind(t *testing.T) {
	ports, err := freeport.Find(50)
	if err != nil || len(ports) != 50 {
		t.Fatalf("got %v, %v", ports, err)
	}
	for _, port := range ports {
		ln, err := net.Listen("tcp", freeport.Address(port))
		if err != nil {
			t.Error(err)
			continue
		}
		defer ln.Close()
	}
}
