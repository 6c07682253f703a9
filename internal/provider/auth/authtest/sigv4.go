package authtest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// A Signature contains the fields of a request's Signature Version 4:
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html.
type Signature struct {
	AccessKey, Date, Region, Service string
	Headers                          []string // names of the signed headers
	Signature                        string
	Time                             time.Time
}

const amzTime = "20060102T150405Z"

// ReadSignature parses the signature of a request. It returns an error if there is none or it is malformed.
func ReadSignature(r *http.Request) (*Signature, error) {
	rest, ok := strings.CutPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ")
	if !ok {
		return nil, fmt.Errorf("the request has no signature: %q", r.Header.Get("Authorization"))
	}
	s := &Signature{}
	for part := range strings.SplitSeq(rest, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "Credential":
			scope := strings.Split(value, "/")
			if len(scope) != 5 || scope[4] != "aws4_request" {
				return nil, fmt.Errorf("the scope is %q", value)
			}
			s.AccessKey, s.Date, s.Region, s.Service = scope[0], scope[1], scope[2], scope[3]
		case "SignedHeaders":
			s.Headers = strings.Split(value, ";")
		case "Signature":
			s.Signature = value
		}
	}
	at, err := time.Parse(amzTime, r.Header.Get("X-Amz-Date"))
	s.Time = at
	if err != nil || at.Format("20060102") != s.Date {
		return nil, fmt.Errorf("the date %q does not fit the scope %q", r.Header.Get("X-Amz-Date"), s.Date)
	}
	for _, name := range []string{"host", "x-amz-date"} {
		if !slices.Contains(s.Headers, name) {
			return nil, fmt.Errorf("%s is not signed", name)
		}
	}
	if r.Header.Get("X-Amz-Security-Token") != "" && !slices.Contains(s.Headers, "x-amz-security-token") {
		return nil, fmt.Errorf("the session token is not signed")
	}
	return s, nil
}

// Compute returns the signature that the request must have, computed with the secret key.
func (s *Signature) Compute(r *http.Request, body []byte, secret string) string {
	sum := sha256.Sum256([]byte(s.canonical(r, body)))
	text := strings.Join([]string{"AWS4-HMAC-SHA256", r.Header.Get("X-Amz-Date"),
		strings.Join([]string{s.Date, s.Region, s.Service, "aws4_request"}, "/"), hex.EncodeToString(sum[:])}, "\n")
	key := []byte("AWS4" + secret)
	for _, part := range []string{s.Date, s.Region, s.Service, "aws4_request", text} {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(part))
		key = mac.Sum(nil)
	}
	return hex.EncodeToString(key)
}

// canonical returns the canonical form of the request that is signed.
func (s *Signature) canonical(r *http.Request, body []byte) string {
	path, query, _ := strings.Cut(r.RequestURI, "?")
	var headers strings.Builder
	for _, name := range s.Headers {
		values := r.Header.Values(name)
		switch name {
		case "host":
			values = []string{r.Host}
		case "content-length":
			values = []string{fmt.Sprint(r.ContentLength)}
		}
		var trimmed []string
		for _, v := range values {
			trimmed = append(trimmed, strings.Join(strings.Fields(v), " "))
		}
		headers.WriteString(name + ":" + strings.Join(trimmed, ",") + "\n")
	}
	sum := sha256.Sum256(body)
	return strings.Join([]string{r.Method, escape(path, true), canonicalQuery(query), headers.String(),
		strings.Join(s.Headers, ";"), hex.EncodeToString(sum[:])}, "\n")
}

// canonicalQuery returns a query sorted by names and values.
func canonicalQuery(query string) string {
	var pairs [][2]string
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		for _, at := range []*string{&name, &value} {
			plain, err := url.PathUnescape(*at)
			if err == nil {
				*at = escape(plain, false)
			}
		}
		pairs = append(pairs, [2]string{name, value})
	}
	slices.SortFunc(pairs, func(a, b [2]string) int { return strings.Compare(a[0]+"\x00"+a[1], b[0]+"\x00"+b[1]) })
	var out []string
	for _, p := range pairs {
		out = append(out, p[0]+"="+p[1])
	}
	return strings.Join(out, "&")
}

// escape percent-encodes every byte except ASCII letters, digits, '-', '_', '.' and '~'. If path is set, it keeps '/'.
func escape(text string, path bool) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-_.~", c) >= 0, path && c == '/':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
