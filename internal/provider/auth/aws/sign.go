package aws

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	algorithm     = "AWS4-HMAC-SHA256"
	timeForm      = "20060102T150405Z"
	sessionHeader = "X-Amz-Security-Token"
)

// sign adds a Signature Version 4 to a request:
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html. It signs the headers
// Host, Content-Type, Content-Length and X-Amz-*.
func sign(req *http.Request, body []byte, k keys, region, service string, now time.Time) {
	at := now.UTC().Format(timeForm)
	req.Header.Set("X-Amz-Date", at)
	if k.session != "" {
		req.Header.Set(sessionHeader, k.session)
	}
	names, headers := signedHeaders(req)
	canonical := strings.Join([]string{req.Method, pathOf(req.URL), queryOf(req.URL), headers, names, hexSum(body)}, "\n")
	scope := at[:8] + "/" + region + "/" + service + "/aws4_request"
	key := []byte("AWS4" + k.secret)
	for part := range strings.SplitSeq(scope, "/") {
		key = mac(key, part)
	}
	signature := hex.EncodeToString(mac(key, algorithm+"\n"+at+"\n"+scope+"\n"+hexSum([]byte(canonical))))
	req.Header.Set("Authorization", algorithm+" Credential="+k.id+"/"+scope+", SignedHeaders="+names+", Signature="+signature)
}

// signedHeaders returns the names of the signed headers, and the headers in canonical form.
func signedHeaders(req *http.Request) (names, headers string) {
	values := map[string]string{"host": req.Host}
	if req.Host == "" {
		values["host"] = req.URL.Host
	}
	for name, v := range req.Header {
		if name = strings.ToLower(name); name == "content-type" || strings.HasPrefix(name, "x-amz-") {
			values[name] = strings.Join(strings.Fields(strings.Join(v, ",")), " ")
		}
	}
	if req.ContentLength > 0 {
		values["content-length"] = strconv.FormatInt(req.ContentLength, 10)
	}
	var list []string
	for name := range values {
		list = append(list, name)
	}
	slices.Sort(list)
	var b strings.Builder
	for _, name := range list {
		b.WriteString(name + ":" + values[name] + "\n")
	}
	return strings.Join(list, ";"), b.String()
}

// pathOf returns the canonical path: the escaped path, escaped a second time.
func pathOf(u *url.URL) string {
	path := u.EscapedPath()
	if path == "" {
		return "/"
	}
	return escape(path, "/")
}

// queryOf returns the canonical query.
func queryOf(u *url.URL) string {
	var pairs []string
	for name, values := range u.Query() {
		for _, v := range values {
			pairs = append(pairs, escape(name, "")+"="+escape(v, ""))
		}
	}
	slices.Sort(pairs)
	return strings.Join(pairs, "&")
}

// escape percent-encodes every byte except ASCII letters, digits, the bytes of "-_.~" and the bytes of keep.
func escape(text, keep string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(text) {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-_.~"+keep, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', digits[c>>4], digits[c&15]})
	}
	return b.String()
}

func mac(key []byte, text string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(text))
	return m.Sum(nil)
}

func hexSum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
