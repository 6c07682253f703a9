package directive_test

import (
	"context"
	"fmt"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/directive"
)

// model stands for one that is reached over a network.
var model = &script{piece: 12, answers: []any{
	`{"assistant_text": "The handler is in main.go. I have put the cursor there.", "directives": [{"type": "open_file", "payload": {"path": "main.go", "line": "40"}}, {"type": "reboot", "payload": {}}]}`,
	`{"assistant_text": "", "directives": [{"type": "save_all"}]}`,
}}

func Example() {
	type openFile struct {
		Path string `json:"path" jsonschema:"path of the file, below the project"`
		Line int    `json:"line,omitempty" jsonschema:"where the cursor goes"`
	}
	reg, err := directive.NewRegistry(
		directive.TypeOf[openFile]("open_file", "Opens a file in the editor."),
		directive.Type{Name: "save_all", Description: "Saves all open files."},
	)
	if err != nil {
		panic(err)
	}
	client := directive.New(model, reg, directive.WithCorrection())
	req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("Where is the handler?")}}
	for ev, err := range client.Stream(context.Background(), req) {
		if err != nil {
			panic(err)
		}
		switch ev.Kind {
		case directive.EventText:
			fmt.Print(ev.Text) // as it comes
		case directive.EventDirective:
			fmt.Printf("\ndo %s %s", ev.Directive.Type, ev.Directive.Payload)
		case directive.EventDropped:
			fmt.Printf("\nnot taken: %s", ev.Problem.Violations[0].Message)
		case directive.EventTurn:
			req.Messages = append(req.Messages, ev.Turn.Message())
		}
	}
	// Output:
	// The handler is in main.go. I have put the cursor there.
	// do open_file {"path": "main.go", "line": 40}
	// not taken: unknown type "reboot": expected open_file, save_all
	// do save_all {}
}

func ExampleReader() {
	reg, err := directive.NewRegistry(directive.Type{Name: "save_all", Description: "Saves all open files."})
	if err != nil {
		panic(err)
	}
	r := directive.NewReader(reg, directive.Limits{})
	for _, piece := range []string{"Sure:\n```json\n{\"assistant_text\": \"Sav", "ed.\", \"directives\": [{\"type\": \"save_all\"}", "]}\n```"} {
		for _, ev := range r.Feed(piece) {
			fmt.Printf("%s %q\n", ev.Kind, ev.Text)
		}
	}
	r.Close(callwright.FinishStop)
	for _, n := range r.Turn().Notes {
		fmt.Println(n.Rule)
	}
	// Output:
	// text "Sure:\nSav"
	// text "ed."
	// directive ""
	// json.code_fence
	// directive.outside
}
