package gemini

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
)

// The members of inlineData and fileData that are decoded, for images and for other files.
var (
	imageKeys = append([]string{"data"}, spellings(mimeType, fileURI)...)
	fileKeys  = append(spellings(displayName), imageKeys...)
)

// decodeMedia decodes inlineData or fileData to an Image or a File.
func decodeMedia(v []byte) callwright.Part {
	in, member := inlineData.in(v), inlineData
	if in == nil {
		in, member = fileData.in(v), fileData
	}
	f := callwright.File{MediaType: jsonx.TextOf(mimeType.in(in)), Data: jsonx.TextOf(plain("data").in(in)), URL: jsonx.TextOf(fileURI.in(in))}
	image := strings.HasPrefix(f.MediaType, "image/")
	known := imageKeys
	if !image {
		f.Name, known = jsonx.TextOf(displayName.in(in)), fileKeys
	}
	f.Extra = own.ExtraOf(v, spellings(member))
	if rest := own.ExtraOf(in, known); rest.JSON != nil {
		f.Extra = own.Keep(f.Extra, member.camel, rest.JSON)
	}
	if image {
		return callwright.Image{MediaType: f.MediaType, Data: f.Data, URL: f.URL, Extra: f.Extra}
	}
	return f
}

// file returns the image as a File, so that both are encoded by the same code.
func file(p callwright.Image) callwright.File {
	return callwright.File{MediaType: p.MediaType, Data: p.Data, URL: p.URL, FileID: p.FileID, Extra: p.Extra}
}

// fileOf returns an Image or File as a File. ok is false if it has neither data nor a URL.
func fileOf(p callwright.Part) (f callwright.File, ok bool) {
	f, _ = p.(callwright.File)
	if i, is := p.(callwright.Image); is {
		f = file(i)
	}
	return f, f.Data != "" || f.URL != ""
}

// file writes a file as inlineData or fileData.
func (w *writer) file(f callwright.File) {
	w.Open("", '{')
	member := inlineData.camel
	if f.Data == "" && f.URL != "" {
		member = fileData.camel
	}
	w.Open(member, '{')
	w.OptionalText(mimeType.camel, f.MediaType)
	if member == inlineData.camel {
		w.Text("data", f.Data)
	} else {
		w.Text(fileURI.camel, f.URL)
	}
	w.OptionalText(displayName.camel, f.Name)
	w.Within(f.Extra, member)
	w.Close('}')
	w.Extra(f.Extra, member)
	w.Close('}')
}

// fetchablePrefixes are prefixes of URLs that the API can fetch. https://ai.google.dev/gemini-api/docs/files
var fetchablePrefixes = []string{"gs://", "https://generativelanguage.googleapis.com/", "https://www.youtube.com/", "https://youtu.be/"}

// canFetch reports whether the API accepts the URL of a file: one with a prefix in fetchablePrefixes, or any URL that a
// client sent over this API. Vertex AI fetches public URLs:
// https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference
func (h *historyWriter) canFetch(f callwright.File) bool {
	if f.Extra.Wire == callwright.WireGemini || companion.Of(h.req).Wire() == callwright.WireGemini {
		return true
	}
	return slices.ContainsFunc(fetchablePrefixes, func(home string) bool { return strings.HasPrefix(f.URL, home) })
}
