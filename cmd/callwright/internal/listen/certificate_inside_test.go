package listen

import (
	"crypto/x509"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/testcert"
)

// A new certificate is used without a restart, and one that is wrong is not.
func TestCertificate(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	testcert.Write(t, dir, "one.example", now.Add(-time.Hour))
	c, err := openCertificate(filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key"), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	check := func(what, want string) {
		t.Helper()
		c.looked = time.Time{} // as if nobody had asked for long
		pair, err := c.get(nil)
		if err != nil {
			t.Fatal(err)
		}
		if leaf, err := x509.ParseCertificate(pair.Certificate[0]); err != nil || leaf.DNSNames[0] != want {
			t.Errorf("%s: got %v, %v, want %s", what, leaf.DNSNames, err, want)
		}
	}
	check("at first", "one.example")
	testcert.Write(t, dir, "two.example", now)
	check("changed", "two.example")
	if err := os.WriteFile(filepath.Join(dir, "tls.key"), []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	check("wrong", "two.example")
	if err := os.Remove(filepath.Join(dir, "tls.key")); err != nil {
		t.Fatal(err)
	}
	check("gone", "two.example")
	if _, err := openCertificate(c.cert, c.key, c.log); err == nil {
		t.Error("a certificate without a key was opened")
	}
}
