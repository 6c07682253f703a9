package codecs_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// What refers to an image or a file reaches the model: in the receiver's own form, or as a line that names it, with a note. No
// wire is ever given an empty address or empty data.
func TestMediaByReference(t *testing.T) {
	refs := map[string]struct{ url, id string }{
		"web":     {url: "https://a.example/pic"},
		"store":   {url: "gs://bucket/pic"},
		"id":      {id: "file-7"},
		"nothing": {},
	}
	for name, ref := range refs {
		for kind, part := range map[string]callwright.Part{
			"image":         callwright.Image{URL: ref.url, FileID: ref.id},
			"typed image":   callwright.Image{MediaType: "image/png", URL: ref.url, FileID: ref.id, Detail: "high"},
			"file":          callwright.File{URL: ref.url, FileID: ref.id},
			"named file":    callwright.File{Name: "a.pdf", MediaType: "application/pdf", URL: ref.url, FileID: ref.id},
			"audio":         callwright.File{MediaType: "audio/wav", URL: ref.url, FileID: ref.id},
			"video":         callwright.File{MediaType: "video/mp4", URL: ref.url, FileID: ref.id},
			"image as file": callwright.File{MediaType: "image/png", URL: ref.url, FileID: ref.id},
		} {
			call := callwright.Call{ID: "c1", Name: "look", Arguments: []byte("{}")}
			for place, messages := range map[string][]callwright.Message{
				"user": {{Role: callwright.RoleUser, Parts: []callwright.Part{callwright.Text{Text: "See."}, part}}},
				"result": {callwright.UserText("Look."), {Role: callwright.RoleAssistant, Parts: []callwright.Part{call}},
					{Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: "c1", Name: "look", Parts: []callwright.Part{part}}}}},
			} {
				for _, images := range []caps.Truth{caps.Unknown, caps.Yes, caps.No} {
					for _, c := range codecs.All() {
						out, notes, err := c.EncodeRequest(&callwright.Request{Model: "m", Messages: messages}, "m", caps.Caps{ResultImages: images})
						if err != nil {
							t.Fatal(err)
						}
						at := strings.Join([]string{string(c.Name()), name, kind, place, images.String()}, ", ")
						body := string(out)
						for _, empty := range []string{`"url":""`, `"image_url":""`, `"data":""`, `"file_data":""`, `"fileUri":""`, `"file_id":""`, `"file_url":""`, `"images":[""]`, `"parts":[]`, "base64,\""} {
							if strings.Contains(body, empty) {
								t.Errorf("%s: %s in %s", at, empty, body)
							}
						}
						if !strings.Contains(body, ref.url+ref.id) {
							t.Errorf("%s: nothing refers to it in %s", at, body)
						}
						if name == "nothing" && len(notes) == 0 {
							t.Errorf("%s: no note on what has no content in %s", at, body)
						}
					}
				}
			}
		}
	}
}
