package authtest

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// The secrets of an Azure.
const (
	AzureSecret         = Canary + "-azure-secret"
	AzureIdentityHeader = Canary + "-identity-header"
)

// An Azure simulates the token endpoint of Entra ID, the metadata service of a machine and the identity endpoint of App
// Service. Its Issuer issues the tokens.
type Azure struct{ *Issuer }

// ServeHTTP answers a request for a token.
func (a *Azure) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	managed, err := a.check(r)
	if err != nil {
		w.WriteHeader(http.StatusUnauthorized)
		_ = json.NewEncoder(w).Encode(map[string]string{"error": "invalid_client", "error_description": "AADSTS7000215: " + err.Error()})
		return
	}
	token, end := a.Issue()
	left := int(end.Sub(a.Clock.Now()).Seconds())
	switch {
	case managed && r.URL.Path == "/msi/token": // App Service returns only the time of expiry
		_ = json.NewEncoder(w).Encode(map[string]any{"access_token": token, "expires_on": fmt.Sprint(end.Unix()), "token_type": "Bearer"})
	case managed: // as a string
		_ = json.NewEncoder(w).Encode(map[string]any{"access_token": token, "expires_in": fmt.Sprint(left), "expires_on": fmt.Sprint(end.Unix())})
	default:
		_ = json.NewEncoder(w).Encode(map[string]any{"access_token": token, "expires_in": left, "token_type": "Bearer"})
	}
}

// check verifies a request for a token. managed reports whether it is for a managed identity.
func (a *Azure) check(r *http.Request) (managed bool, err error) {
	const resource = "https://cognitiveservices.azure.com"
	switch r.URL.Path {
	case "/metadata/identity/oauth2/token":
		if r.Header.Get("Metadata") != "true" || r.FormValue("api-version") != "2018-02-01" || r.FormValue("resource") != resource {
			return true, fmt.Errorf("the request is %s", r.URL)
		}
		return true, nil
	case "/msi/token":
		if r.Header.Get("X-IDENTITY-HEADER") != AzureIdentityHeader || r.FormValue("api-version") != "2019-08-01" ||
			r.FormValue("resource") != resource {
			return true, fmt.Errorf("the request is %s", r.URL)
		}
		return true, nil
	case "/tenant-1/oauth2/v2.0/token":
	default:
		return false, fmt.Errorf("there is no %s", r.URL.Path)
	}
	if r.Method != http.MethodPost || r.FormValue("grant_type") != "client_credentials" ||
		r.FormValue("client_id") != "client-1" || r.FormValue("scope") != resource+"/.default" {
		return false, fmt.Errorf("the form is %v", r.Form)
	}
	if assertion := r.FormValue("client_assertion"); assertion != "" {
		if !a.AcceptsSubjectToken(assertion) || r.FormValue("client_assertion_type") != "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" {
			return false, fmt.Errorf("the federated token %s is none of ours", assertion)
		}
		return false, nil
	}
	if r.FormValue("client_secret") != AzureSecret {
		return false, fmt.Errorf("the secret %s is wrong", r.FormValue("client_secret"))
	}
	return false, nil
}
