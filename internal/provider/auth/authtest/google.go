package authtest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// A Google simulates the token endpoints of Google and the metadata server of a machine. Its Issuer issues the access
// tokens.
type Google struct {
	*Issuer
	key       *rsa.PrivateKey
	TokenFile string // file with the token of the federated identity
}

// Secrets in the credentials files.
const (
	RefreshToken = Canary + "-refresh-token"
	ClientSecret = Canary + "-client-secret"
	clientEmail  = "models@project-1.iam.gserviceaccount.com"
)

// NewGoogle creates a Google with a new private key for its service account.
func NewGoogle(t *testing.T, i *Issuer) *Google {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return &Google{Issuer: i, key: key}
}

// PrivateKey returns the private key of the service account in PEM.
func (g *Google) PrivateKey() string {
	der, _ := x509.MarshalPKCS8PrivateKey(g.key)
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}

// File returns a credentials file of the type kind, such as service_account. address is the base URL of its token
// endpoint.
func (g *Google) File(kind, address string) string {
	f := map[string]any{"type": kind}
	switch kind {
	case "service_account":
		f["project_id"], f["client_email"], f["private_key"], f["private_key_id"], f["token_uri"] = "project-1", clientEmail,
			g.PrivateKey(), "k1", address+"/token"
	case "authorized_user":
		f["client_id"], f["client_secret"], f["refresh_token"], f["quota_project_id"], f["token_uri"] = "c", ClientSecret,
			RefreshToken, "project-1", address+"/token"
	case "external_account":
		f["audience"], f["subject_token_type"] = "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/x", "urn:ietf:params:oauth:token-type:jwt"
		f["token_url"], f["credential_source"] = address+"/sts", map[string]string{"file": g.TokenFile}
	}
	text, _ := json.Marshal(f)
	return string(text)
}

// ServeHTTP answers a request for a token.
func (g *Google) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if err := g.check(r); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(map[string]string{"error": "invalid_grant", "error_description": err.Error()})
		return
	}
	token, end := g.Issue()
	_ = json.NewEncoder(w).Encode(map[string]any{"access_token": token, "token_type": "Bearer",
		"expires_in": int(end.Sub(g.Clock.Now()).Seconds()), "issued_token_type": "urn:ietf:params:oauth:token-type:access_token"})
}

// check verifies a request for a token.
func (g *Google) check(r *http.Request) error {
	switch r.URL.Path {
	case "/computeMetadata/v1/instance/service-accounts/default/token":
		if r.Header.Get("Metadata-Flavor") != "Google" {
			return fmt.Errorf("the header Metadata-Flavor is missing")
		}
		return nil
	case "/sts": // https://cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token
		if !g.AcceptsSubjectToken(r.FormValue("subject_token")) ||
			r.FormValue("grant_type") != "urn:ietf:params:oauth:grant-type:token-exchange" ||
			!strings.Contains(r.FormValue("audience"), "workloadIdentityPools/p") {
			return fmt.Errorf("the federated token is none of ours")
		}
		return nil
	}
	switch r.FormValue("grant_type") {
	case "refresh_token":
		if r.FormValue("refresh_token") != RefreshToken || r.FormValue("client_secret") != ClientSecret {
			return fmt.Errorf("the refresh token %s has ended", r.FormValue("refresh_token"))
		}
		return nil
	case "urn:ietf:params:oauth:grant-type:jwt-bearer":
		return g.checkAssertion(r.FormValue("assertion"), "http://"+r.Host+r.RequestURI)
	}
	return fmt.Errorf("unknown grant %q", r.FormValue("grant_type"))
}

// checkAssertion verifies the signed assertion of a service account
// (https://developers.google.com/identity/protocols/oauth2/service-account#authorizingrequests).
func (g *Google) checkAssertion(jwt, audience string) error {
	parts := strings.Split(jwt, ".")
	if len(parts) != 3 {
		return fmt.Errorf("no assertion")
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if err := rsa.VerifyPKCS1v15(&g.key.PublicKey, crypto.SHA256, sum[:], signature); err != nil {
		return fmt.Errorf("the signature is wrong: %w", err)
	}
	var head struct{ Alg string }
	var claims struct {
		Iss, Scope, Aud string
		Exp, Iat        int64
	}
	for i, into := range []any{&head, &claims} {
		text, err := base64.RawURLEncoding.DecodeString(parts[i])
		if err != nil {
			return err
		}
		if err := json.Unmarshal(text, into); err != nil {
			return err
		}
	}
	if head.Alg != "RS256" || claims.Iss != clientEmail || claims.Aud != audience ||
		!strings.Contains(claims.Scope, "cloud-platform") || claims.Exp <= claims.Iat || claims.Exp-claims.Iat > 3600 {
		return fmt.Errorf("the claims are %+v", claims)
	}
	return nil
}
