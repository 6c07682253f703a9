package authtest_test

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/provider/auth/authtest"
)

// The signatures of AWS's test suite (https://docs.aws.amazon.com/general/latest/gr/signature-v4-test-suite.html) and of the example of its guide come out.
func TestVectors(t *testing.T) {
	const secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
	head := func(service, headers, signature string) string {
		return "X-Amz-Date: 20150830T123600Z\r\nAuthorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/" + service + "/aws4_request, SignedHeaders=" + headers +
			", Signature=" + signature + "\r\n"
	}
	const host = "Host: example.amazonaws.com\r\n"
	for name, c := range map[string]string{
		"get-vanilla":                 "GET / HTTP/1.1\r\n" + host + head("service", "host;x-amz-date", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31") + "\r\n",
		"get-vanilla-query-order-key": "GET /?Param2=value2&Param1=value1 HTTP/1.1\r\n" + host + head("service", "host;x-amz-date", "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500") + "\r\n",
		"post-vanilla":                "POST / HTTP/1.1\r\n" + host + head("service", "host;x-amz-date", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b") + "\r\n",
		"post-x-www-form-urlencoded": "POST / HTTP/1.1\r\n" + host + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 13\r\n" +
			head("service", "content-type;host;x-amz-date", "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a") + "\r\nParam1=value1",
		"the guide's example": "GET /?Action=ListUsers&Version=2010-05-08 HTTP/1.1\r\nHost: iam.amazonaws.com\r\nContent-Type: application/x-www-form-urlencoded; charset=utf-8\r\n" +
			head("iam", "content-type;host;x-amz-date", "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7") + "\r\n",
	} {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(c)))
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(r.Body)
		s, err := authtest.ReadSignature(r)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := s.Compute(r, body, secret); got != s.Signature {
			t.Errorf("%s: got %s, want %s", name, got, s.Signature)
		}
	}
}
