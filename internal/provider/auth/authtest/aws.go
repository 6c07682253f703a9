package authtest

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// AWSSecret is the secret key of every access key that an AWS issues.
const AWSSecret = Canary + "-aws-secret-key"

// An AWS simulates the AWS services that issue credentials: STS, the credentials endpoint of a container, single
// sign-on, and the metadata service of a machine. Its Issuer issues the session tokens.
type AWS struct {
	*Issuer
	ContainerToken string // the token that the container endpoint requires

	mu    sync.Mutex
	asked []string
}

// Requests returns the names of the requests so far.
func (a *AWS) Requests() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.asked)
}

func (a *AWS) note(what string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = append(a.asked, what)
}

// ServeHTTP answers a request for credentials.
func (a *AWS) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/container":
		a.container(w, r)
	case r.URL.Path == "/federation/credentials":
		a.signOn(w, r)
	case strings.HasPrefix(r.URL.Path, "/latest/"):
		a.metadata(w, r)
	default:
		a.sts(w, r)
	}
}

// key returns the access key of a session token.
func key(token string) string { return "ASIA" + strings.ToUpper(token[len(token)-4:]) }

// credentials writes credentials in the JSON format of container and machine endpoints.
func (a *AWS) credentials(w http.ResponseWriter) {
	token, end := a.Issue()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"Code": "Success", "AccessKeyId": key(token), "SecretAccessKey": AWSSecret,
		"Token": token, "Expiration": end.UTC().Format(time.RFC3339)})
}

// container answers as the credentials endpoint of a container
// (https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html).
func (a *AWS) container(w http.ResponseWriter, r *http.Request) {
	a.note("container")
	if r.Header.Get("Authorization") != a.ContainerToken {
		http.Error(w, `{"Code":"AccessDenied","Message":"who are you"}`, http.StatusForbidden)
		return
	}
	a.credentials(w)
}

// SignOnToken is the token of a single sign-on session.
const SignOnToken = Canary + "-sign-on"

// signOn answers GetRoleCredentials of the single sign-on portal
// (https://docs.aws.amazon.com/singlesignon/latest/PortalAPIReference/API_GetRoleCredentials.html).
func (a *AWS) signOn(w http.ResponseWriter, r *http.Request) {
	a.note("sign-on")
	w.Header().Set("Content-Type", "application/json")
	if r.Header.Get("x-amz-sso_bearer_token") != SignOnToken || r.FormValue("account_id") != "123456789012" ||
		r.FormValue("role_name") != "Models" {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"message":"Session token not found or invalid"}`)
		return
	}
	token, end := a.Issue()
	_ = json.NewEncoder(w).Encode(map[string]any{"roleCredentials": map[string]any{"accessKeyId": key(token),
		"secretAccessKey": AWSSecret, "sessionToken": token, "expiration": end.UnixMilli()}})
}

// metadata answers as version 2 of the metadata service
// (https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html).
func (a *AWS) metadata(w http.ResponseWriter, r *http.Request) {
	a.note("metadata")
	const roles = "/latest/meta-data/iam/security-credentials/"
	if r.URL.Path == "/latest/api/token" {
		if r.Method != http.MethodPut || r.Header.Get("X-aws-ec2-metadata-token-ttl-seconds") == "" {
			http.Error(w, "", http.StatusBadRequest)
			return
		}
		w.Header().Set("X-Aws-Ec2-Metadata-Token-Ttl-Seconds", "21600")
		fmt.Fprint(w, "session")
		return
	}
	if r.Header.Get("X-Aws-Ec2-Metadata-Token") != "session" {
		http.Error(w, "", http.StatusUnauthorized)
		return
	}
	switch strings.TrimPrefix(r.URL.Path, roles) {
	case "":
		fmt.Fprint(w, "models")
	case "models":
		a.credentials(w)
	default:
		http.NotFound(w, r)
	}
}

// sts answers AssumeRoleWithWebIdentity and AssumeRole of STS (https://docs.aws.amazon.com/STS/latest/APIReference).
func (a *AWS) sts(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	action := r.FormValue("Action")
	a.note(action)
	refuse := func(code, message string) {
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprintf(w, `<ErrorResponse><Error><Type>Sender</Type><Code>%s</Code><Message>%s</Message></Error></ErrorResponse>`, code, message)
	}
	switch action {
	case "AssumeRoleWithWebIdentity":
		if !a.AcceptsSubjectToken(r.FormValue("WebIdentityToken")) || r.FormValue("RoleArn") == "" {
			refuse("InvalidIdentityToken", "the token is none of ours")
			return
		}
	case "AssumeRole":
		if err := a.CheckSignature(r, body, "sts"); err != nil || r.FormValue("RoleArn") == "" {
			refuse("AccessDenied", "not signed")
			return
		}
	default:
		refuse("InvalidAction", action)
		return
	}
	token, end := a.Issue()
	w.Header().Set("Content-Type", "text/xml")
	fmt.Fprintf(w, `<%[1]sResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><%[1]sResult><Credentials><AccessKeyId>%[2]s</AccessKeyId><SecretAccessKey>%[3]s</SecretAccessKey><SessionToken>%[4]s</SessionToken><Expiration>%[5]s</Expiration></Credentials><AssumedRoleUser><Arn>arn:aws:sts::123456789012:assumed-role/models/x</Arn><AssumedRoleId>A:x</AssumedRoleId></AssumedRoleUser></%[1]sResult></%[1]sResponse>`,
		action, key(token), AWSSecret, token, end.UTC().Format(time.RFC3339))
}

// StaticKey is an access key without a session token.
const StaticKey = "AKIDSTATIC"

// CheckSignature verifies the signature of a request for a service: with StaticKey, or with the access key of a valid
// session token.
func (a *AWS) CheckSignature(r *http.Request, body []byte, service string) error {
	s, err := ReadSignature(r)
	if err != nil {
		return err
	}
	token := r.Header.Get("X-Amz-Security-Token")
	switch {
	case s.Service != service:
		return fmt.Errorf("the request is signed for %q", s.Service)
	case token == "" && s.AccessKey != StaticKey, token != "" && s.AccessKey != key(token):
		return fmt.Errorf("the access key %q is not known", s.AccessKey)
	case service != "sts" && a.Clock.Now().Sub(s.Time).Abs() > 5*time.Minute:
		return fmt.Errorf("the signature is of %s", s.Time)
	case s.Compute(r, body, AWSSecret) != s.Signature:
		return fmt.Errorf("the signature is wrong")
	case token != "" && !a.IsValid(token):
		return fmt.Errorf("the session has ended")
	}
	return nil
}

// EventStream returns events in the binary encoding in which Bedrock streams them.
func EventStream(events ...string) []byte {
	var out []byte
	for _, e := range events {
		payload := `{"bytes":"` + base64.StdEncoding.EncodeToString([]byte(e)) + `"}`
		var head []byte
		for _, h := range [][2]string{{":event-type", "chunk"}, {":content-type", "application/json"}, {":message-type", "event"}} {
			head = append(append(head, byte(len(h[0]))), h[0]...)
			head = append(binary.BigEndian.AppendUint16(append(head, 7), uint16(len(h[1]))), h[1]...) //nolint:gosec // short
		}
		m := binary.BigEndian.AppendUint32(nil, uint32(16+len(head)+len(payload))) //nolint:gosec // short
		m = binary.BigEndian.AppendUint32(m, uint32(len(head)))                    //nolint:gosec // short
		m = binary.BigEndian.AppendUint32(m, crc32.ChecksumIEEE(m))
		m = append(append(m, head...), payload...)
		out = append(out, binary.BigEndian.AppendUint32(m, crc32.ChecksumIEEE(m))...)
	}
	return out
}
