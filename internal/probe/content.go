package probe

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/schema"
)

// The checks of images, of JSON answers, and of calls without tools in the request.

// redSquare returns a red image of 64 by 64 pixels, in PNG.
func redSquare() callwright.Image {
	const side = 64
	square := image.NewRGBA(image.Rect(0, 0, side, side))
	draw.Draw(square, square.Bounds(), image.NewUniform(color.RGBA{R: 0xFF, A: 0xFF}), image.Point{}, draw.Src)
	var b bytes.Buffer
	if err := png.Encode(&b, square); err != nil {
		panic("probe: " + err.Error()) // a write to a buffer does not fail
	}
	return callwright.Image{MediaType: "image/png", Data: base64.StdEncoding.EncodeToString(b.Bytes())}
}

// colour returns the verdict on an answer to an image: it passes if its text contains "red".
func colour(a *answer) verdict {
	if !strings.Contains(strings.ToLower(a.Text()), "red") {
		return fail("the answer does not name the colour: %q", short(a.Text()))
	}
	return pass("it said %q", short(a.Text()))
}

func askImage(ctx context.Context, r *run) verdict {
	q := question{messages: []callwright.Message{{Role: callwright.RoleUser, Parts: []callwright.Part{
		callwright.Text{Text: "Which colour does this image show? Answer with one word."}, redSquare(),
	}}}}
	a, v, ok := r.ask(ctx, q)
	if !ok {
		return v
	}
	if v = colour(a); v.result != Pass {
		return v.deciding(false) // no fact: the provider accepted the image, and the model may be weak
	}
	r.sees = true
	return v
}

func askResultImage(ctx context.Context, r *run) verdict {
	q := call(&camera, `{"zoom":1}`)
	q.messages = append(q.messages[:0:0],
		callwright.UserText(callwright.TextOf(q.messages[0].Parts)+"\nThen say in one word which colour the picture shows."))
	q.assumedFact = "result_images"
	a, v, ok := r.ask(ctx, q)
	if !ok {
		return v
	}
	if v = r.judgeCall(a, camera); v.result != Pass {
		return v.deciding(false)
	}
	q.messages = append(q.messages, a.Message())
	for _, c := range a.calls {
		q.messages = append(q.messages, callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{
			callwright.Result{CallID: c.ID, Name: c.Name, Parts: []callwright.Part{callwright.Text{Text: "The picture:"}, redSquare()}},
		}})
	}
	if a, v, ok = r.ask(ctx, q); !ok {
		return v
	}
	return colour(a)
}

// document returns the verdict on an answer that should be a JSON object. If schemaText is not empty, the object must
// satisfy this schema.
func document(a *answer, schemaText string) verdict {
	text := strings.TrimSpace(a.Text())
	switch {
	case text == "":
		return fail("the answer has no text")
	case !jsonx.ValidObject([]byte(text)):
		return fail("expected a JSON object, got %q", short(text))
	case schemaText == "":
		return pass("it said %s", short(text))
	}
	s, err := schema.Compile([]byte(schemaText))
	if err != nil {
		panic("probe: " + err.Error()) // programming error: an invalid schema
	}
	if broken := s.Validate([]byte(text)); len(broken) > 0 {
		return fail("the object does not satisfy the schema: %s", short(broken[0].Message))
	}
	return pass("it said %s", short(text))
}

func askJSONObject(ctx context.Context, r *run) verdict {
	q := userQuestion(aboutSea + " Write it as a JSON object.")
	q.params.Format, q.skipNote = &callwright.AnswerFormat{}, "params.json_object"
	a, v, ok := r.ask(ctx, q)
	if !ok {
		return v
	}
	return document(a, "")
}

func answerBy(name, schemaText string) *callwright.AnswerFormat {
	return &callwright.AnswerFormat{Name: name, Schema: json.RawMessage(schemaText), Strict: new(true)}
}

func askJSONSchema(ctx context.Context, r *run) verdict {
	q := userQuestion(aboutSea)
	q.params.Format = answerBy("sea", seaSchema)
	a, v, ok := r.ask(ctx, q)
	if !ok {
		return v
	}
	return document(a, seaSchema)
}

func askJSONWithTools(ctx context.Context, r *run) verdict {
	q := userQuestion(oslo, weather)
	q.params.Format = answerBy("weather", skySchema)
	a, v, ok := r.ask(ctx, q)
	if !ok {
		return v
	}
	if v = r.judgeCall(a, weather); v.result != Pass {
		return v.deciding(len(a.calls) == 0)
	}
	q.messages = append(q.messages, a.Message())
	for _, c := range a.calls {
		q.messages = append(q.messages, callwright.ToolResult(c, coldWeather))
	}
	if a, v, ok = r.ask(ctx, q); !ok {
		return v
	}
	return document(a, skySchema)
}

func (r *run) scanOptions() dialect.Options { return dialect.Options{Model: r.name} }

// askPrompted describes a tool in the system prompt, in the call format of the model's family. It passes if the
// response has a call in a known format. It sets the fact "dialect" only for a model without native calls.
func askPrompted(ctx context.Context, r *run) verdict {
	f, ok := dialect.Lookup(cmp.Or(r.known.Dialect, dialect.ForModel(r.name)))
	if !ok || !f.Renders() {
		f, _ = dialect.Lookup("hermes")
	}
	q := userQuestion(oslo)
	q.messages = append([]callwright.Message{callwright.SystemText(f.RenderTools([]dialect.Tool{dialectTool(&weather)},
		dialect.RenderOptions{Model: r.name}))}, q.messages...)
	a, v, ok := r.ask(ctx, q)
	if !ok {
		return v.deciding(false)
	}
	o := r.scanOptions()
	o.Hint = f.Name
	c := textCall(a.Text(), []callwright.Tool{weather}, o)
	if c == nil {
		return fail("asked in the format %s, expected a call, got %q", f.Name, short(a.Text()))
	}
	v = pass("asked in the format %s, got a call of %s in the format %s", f.Name, c.Name, c.Format)
	if r.native == refused || r.native == ignored {
		v = v.with("dialect", c.Format)
	}
	return v
}
