package agent

import (
	"bytes"
	"encoding/json"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/conversation"
)

// The kinds of steps, with the form of their data.
const (
	stepBegun    StepKind = "begun"    // {"messages","setup"}
	stepAnswered StepKind = "answered" // {"response"}
	stepAsked    StepKind = "asked"    // {"why"}: a person is asked about the call
	stepDecided  StepKind = "decided"  // {"decision"}
	stepStarted  StepKind = "started"  // of a call
	stepEnded    StepKind = "ended"    // {"result","code","ms"}; result is a message
	stepAdded    StepKind = "added"    // {"messages","why"}: what the loop itself told the model
	stepVerified StepKind = "verified" // {"wrong","response"}: what the verifier says of the last answer
	stepMoved    StepKind = "moved"    // {"model"}: the place in the ladder
	stepStopped  StepKind = "stopped"  // {"stop","message"}
)

// A record is what a Step holds.
type record interface{ kind() StepKind }

type (
	begun struct {
		messages []callwright.Message
		setup    json.RawMessage
	}
	answered struct{ response *callwright.Response }
	asked    struct{ why string }
	decided  struct{ decision Decision }
	started  struct{}
	ended    struct {
		result callwright.Result
		code   Code // "" where the tool did what it is for
		ms     float64
	}
	added struct {
		message callwright.Message
		why     string
	}
	verified struct {
		wrong   string               // "" where nothing is
		verdict *callwright.Response // of a model; nil where the program's own function was asked
	}
	moved   struct{ model int }
	stopped struct {
		stop    Stop
		message string
	}
)

func (begun) kind() StepKind    { return stepBegun }
func (answered) kind() StepKind { return stepAnswered }
func (asked) kind() StepKind    { return stepAsked }
func (decided) kind() StepKind  { return stepDecided }
func (started) kind() StepKind  { return stepStarted }
func (ended) kind() StepKind    { return stepEnded }
func (added) kind() StepKind    { return stepAdded }
func (verified) kind() StepKind { return stepVerified }
func (moved) kind() StepKind    { return stepMoved }
func (stopped) kind() StepKind  { return stepStopped }

// stepData is the data of all kinds of steps.
type stepData struct {
	Messages json.RawMessage `json:"messages,omitempty"`
	Setup    json.RawMessage `json:"setup,omitempty"`
	Response json.RawMessage `json:"response,omitempty"`
	Why      string          `json:"why,omitempty"`
	Decision Decision        `json:"decision,omitempty"`
	Code     Code            `json:"code,omitempty"`
	MS       float64         `json:"ms,omitempty"`
	Model    int             `json:"model,omitempty"`
	Wrong    string          `json:"wrong,omitempty"`
	Stop     Stop            `json:"stop,omitempty"`
	Message  string          `json:"message,omitempty"`
}

// encode writes a record as the data of a step.
func encode(rec record) (json.RawMessage, error) {
	var d stepData
	var err error
	switch rec := rec.(type) {
	case begun:
		d.Setup = rec.setup
		d.Messages, err = conversation.MarshalMessages(rec.messages)
	case answered:
		d.Response, err = conversation.MarshalResponse(rec.response)
	case asked:
		d.Why = rec.why
	case decided:
		d.Decision = rec.decision
	case ended:
		d.Code, d.MS = rec.code, rec.ms
		d.Messages, err = conversation.MarshalMessages([]callwright.Message{{Role: callwright.RoleTool, Parts: []callwright.Part{rec.result}}})
	case added:
		d.Why = rec.why
		d.Messages, err = conversation.MarshalMessages([]callwright.Message{rec.message})
	case verified:
		d.Wrong = rec.wrong
		if rec.verdict != nil {
			d.Response, err = conversation.MarshalResponse(rec.verdict)
		}
	case moved:
		d.Model = rec.model
	case stopped:
		d.Stop, d.Message = rec.stop, rec.message
	}
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false) // arguments keep their bytes
	if err := w.Encode(d); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// decode reads the record of a step.
func decode(s Step) (record, error) {
	var d stepData
	if err := json.Unmarshal(s.Data, &d); err != nil {
		return nil, badStep(s, err)
	}
	var msgs []callwright.Message
	if d.Messages != nil {
		var err error
		if msgs, err = conversation.UnmarshalMessages(d.Messages); err != nil {
			return nil, badStep(s, err)
		}
	}
	one := func() (callwright.Message, bool) {
		if len(msgs) != 1 || len(msgs[0].Parts) == 0 {
			return callwright.Message{}, false
		}
		return msgs[0], true
	}
	switch s.Kind {
	case stepBegun:
		return begun{msgs, d.Setup}, nil
	case stepAnswered:
		resp, err := conversation.UnmarshalResponse(d.Response)
		if err != nil {
			return nil, badStep(s, err)
		}
		return answered{resp}, nil
	case stepAsked:
		return asked{d.Why}, nil
	case stepDecided:
		return decided{d.Decision}, nil
	case stepStarted:
		return started{}, nil
	case stepEnded:
		if m, ok := one(); ok {
			if r, ok := m.Parts[0].(callwright.Result); ok {
				return ended{r, d.Code, d.MS}, nil
			}
		}
	case stepAdded:
		if m, ok := one(); ok {
			return added{m, d.Why}, nil
		}
	case stepVerified:
		return decodeVerified(s, &d)
	case stepMoved:
		return moved{d.Model}, nil
	case stepStopped:
		return stopped{d.Stop, d.Message}, nil
	default:
		return nil, callwright.Errorf("agent.load", callwright.KindInvalid, "", "unknown step %q: the run was recorded by a later version", callwright.Excerpt(string(s.Kind)))
	}
	return nil, badStep(s, nil)
}

func decodeVerified(s Step, d *stepData) (record, error) {
	if d.Response == nil {
		return verified{wrong: d.Wrong}, nil
	}
	verdict, err := conversation.UnmarshalResponse(d.Response)
	if err != nil {
		return nil, badStep(s, err)
	}
	return verified{d.Wrong, verdict}, nil
}

func badStep(s Step, err error) error {
	e := callwright.Errorf("agent.load", callwright.KindInvalid, "", "the step %q cannot be read", s.Kind)
	e.Err = err
	return e
}
