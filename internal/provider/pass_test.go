package provider_test

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider"
)

// A passage is tried again like any request, gives the answer as it came, and fails like one.
func TestPass(t *testing.T) {
	p := provider.Passages()[0]
	m, s := scripted(t, "lab", reply{status: 503, header: map[string]string{"Retry-After": "0"}}, reply{body: "\x00 as it came"})
	got, err := m.Pass(t.Context(), &p, "application/json", []byte(`{"model":"x", "n" : 1e2}`))
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	if raw, err := io.ReadAll(got.Body); err != nil || string(raw) != "\x00 as it came" || len(s.bodies) != 2 || s.bodies[1] != `{"model":"m-1", "n" : 1e2}` || s.last.URL.Path != "/v1/embeddings" {
		t.Errorf("got %q, %v; sent %q to %s", raw, err, s.bodies, s.last.URL)
	}
	m, _ = scripted(t, "lab", reply{status: 400, body: `{"error":{"message":"no such thing"}}`})
	if _, err := m.Pass(t.Context(), &p, "", []byte(`{}`)); callwright.KindOf(err) != callwright.KindInvalid {
		t.Errorf("a refusal: got %v", err)
	}
	m, s = scripted(t, "anthropic", reply{})
	if _, err := m.Pass(t.Context(), &p, "", []byte(`{}`)); callwright.KindOf(err) != callwright.KindUnsupported || len(s.bodies) > 0 || m.Passes(&p) {
		t.Errorf("another wire: got %v", err)
	}
}

// The model of a form is renamed in its place, also where its field is empty.
func TestPassRenamesForms(t *testing.T) {
	p := provider.Passages()[0]
	const head, tail = "--b\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\n", "\r\n--b--\r\n"
	for _, name := range []string{"", "x", "a longer name"} {
		m, s := scripted(t, "lab", reply{})
		got, err := m.Pass(t.Context(), &p, "multipart/form-data; boundary=b", []byte(head+name+tail))
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close()
		if want := head + "m-1" + tail; s.bodies[0] != want {
			t.Errorf("the model %q: sent %q, want %q", name, s.bodies[0], want)
		}
	}
}

// FuzzFormField: the field that is found is the one that the standard library reads, and nothing panics.
func FuzzFormField(f *testing.F) {
	const kind = "multipart/form-data; boundary=b"
	f.Add(kind, "--b\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\nm\r\n--b--\r\n")
	f.Add(kind, "before\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=x\r\nContent-Type: a/b\r\n\r\n\r\n\r\n--b\r\ncontent-disposition:form-data;name=model\r\n\r\n\r\n--b--")
	f.Add("multipart/form-data", "--b")
	f.Add(kind, "--b\r\n\r\n")
	f.Add(kind, "--b\nContent-Disposition: form-data; name=model\r\n\r\n\r\n--b--")
	f.Fuzz(func(t *testing.T, contentType, body string) {
		value, form, err := provider.FormField(contentType, []byte(body), "model")
		if !form || err != nil || value == nil {
			return
		}
		if !strings.Contains(body, string(value)) {
			t.Fatalf("%q is not in the body", value)
		}
		_, params, _ := mime.ParseMediaType(contentType)
		for parts := multipart.NewReader(strings.NewReader(body), params["boundary"]); ; {
			part, err := parts.NextRawPart()
			if err != nil {
				return // what the library refuses is not ours to judge
			}
			if raw, err := io.ReadAll(part); err == nil && part.FormName() == "model" && !bytes.Equal(raw, value) {
				t.Fatalf("got %q, the standard library reads %q", value, raw)
			}
		}
	})
}
