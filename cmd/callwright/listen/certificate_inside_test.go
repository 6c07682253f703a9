package listen

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// writeCertificate writes a certificate for a name, and its key.
func writeCertificate(t *testing.T, dir, name string, at time.Time) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{name}, NotBefore: at.Add(-time.Hour), NotAfter: at.Add(time.Hour)}
	cert, err := x509.CreateCertificate(rand.Reader, about, about, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{"tls.crt": {Type: "CERTIFICATE", Bytes: cert}, "tls.key": {Type: "PRIVATE KEY", Bytes: private}} {
		path := filepath.Join(dir, file)
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

// A new certificate is used without a restart, and one that is wrong is not.
func TestCertificate(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	writeCertificate(t, dir, "one.example", now.Add(-time.Hour))
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
	writeCertificate(t, dir, "two.example", now)
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
