package agent

import (
	"encoding/json"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/conversation"
	"github.com/callwright/callwright/internal/jsonx"
)

// The kinds of journal entries. Each comment lists the JSON members of Entry.Data.
const (
	entryBegun    EntryKind = "begun"    // {"messages","setup"}
	entryAnswered EntryKind = "answered" // {"response"}
	// {"why","once","each"}: the call needs approval. once: one yes covers all calls of the tool. each: decisions about
	// other calls do not count.
	entryAsked    EntryKind = "asked"
	entryDecided  EntryKind = "decided"  // {"decision","by","apart"}; apart is true if Decide recorded it
	entryStarted  EntryKind = "started"  // {}: the call starts
	entryEnded    EntryKind = "ended"    // {"result","code","ms"}; result is a message
	entryAdded    EntryKind = "added"    // {"messages","why"}: a message that the loop added
	entryVerified EntryKind = "verified" // {"wrong","response"}: the verifier's verdict on the last answer
	entryMoved    EntryKind = "moved"    // {"model"}: the new index in the fallback chain
	entryStopped  EntryKind = "stopped"  // {"stop","message"}
)

// A record is the decoded content of a journal Entry, such as a decision or a tool result.
type record interface{ kind() EntryKind }

type (
	begun struct {
		messages []callwright.Message
		setup    json.RawMessage
	}
	answered struct{ response *callwright.Response }
	asked    struct {
		why  string
		once bool
		each bool
	}
	decided struct {
		decision         Decision
		by               string
		recordedByDecide bool
	}
	started struct{}
	ended   struct {
		result callwright.Result
		code   Code // "" if the tool succeeded
		ms     float64
	}
	added struct {
		message callwright.Message
		why     string
	}
	verified struct {
		wrong   string               // the fault of the answer, "" if there is none
		verdict *callwright.Response // response of the verifying model; nil if Verifier.Check decided
	}
	moved   struct{ model int }
	stopped struct {
		stop    Stop
		message string
	}
)

func (begun) kind() EntryKind    { return entryBegun }
func (answered) kind() EntryKind { return entryAnswered }
func (asked) kind() EntryKind    { return entryAsked }
func (decided) kind() EntryKind  { return entryDecided }
func (started) kind() EntryKind  { return entryStarted }
func (ended) kind() EntryKind    { return entryEnded }
func (added) kind() EntryKind    { return entryAdded }
func (verified) kind() EntryKind { return entryVerified }
func (moved) kind() EntryKind    { return entryMoved }
func (stopped) kind() EntryKind  { return entryStopped }

// entryData is the JSON object of Entry.Data, with the members of all entry kinds.
type entryData struct {
	Messages json.RawMessage `json:"messages,omitempty"`
	Setup    json.RawMessage `json:"setup,omitempty"`
	Response json.RawMessage `json:"response,omitempty"`
	Why      string          `json:"why,omitempty"`
	Once     bool            `json:"once,omitempty"`
	Each     bool            `json:"each,omitempty"`
	Decision Decision        `json:"decision,omitempty"`
	By       string          `json:"by,omitempty"`
	Apart    bool            `json:"apart,omitempty"`
	Code     Code            `json:"code,omitempty"`
	MS       float64         `json:"ms,omitempty"`
	Model    int             `json:"model,omitempty"`
	Wrong    string          `json:"wrong,omitempty"`
	Stop     Stop            `json:"stop,omitempty"`
	Message  string          `json:"message,omitempty"`
}

// encode returns the record as JSON for Entry.Data of its journal entry.
func encode(rec record) (json.RawMessage, error) {
	var d entryData
	var err error
	switch rec := rec.(type) {
	case begun:
		d.Setup = rec.setup
		d.Messages, err = conversation.MarshalMessages(rec.messages)
	case answered:
		d.Response, err = conversation.MarshalResponse(rec.response)
	case asked:
		d.Why, d.Once, d.Each = rec.why, rec.once, rec.each
	case decided:
		d.Decision, d.By, d.Apart = rec.decision, rec.by, rec.recordedByDecide
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
	return jsonx.Marshal(d) // keeps the bytes of raw JSON
}

// decode parses the record from an entry. Errors are of KindInvalid.
func decode(e Entry) (record, error) {
	var d entryData
	if err := json.Unmarshal(e.Data, &d); err != nil {
		return nil, badEntry(e, err)
	}
	var msgs []callwright.Message
	if d.Messages != nil {
		var err error
		if msgs, err = conversation.UnmarshalMessages(d.Messages); err != nil {
			return nil, badEntry(e, err)
		}
	}
	one := func() (callwright.Message, bool) {
		if len(msgs) != 1 || len(msgs[0].Parts) == 0 {
			return callwright.Message{}, false
		}
		return msgs[0], true
	}
	switch e.Kind {
	case entryBegun:
		return begun{msgs, d.Setup}, nil
	case entryAnswered:
		resp, err := conversation.UnmarshalResponse(d.Response)
		if err != nil {
			return nil, badEntry(e, err)
		}
		return answered{resp}, nil
	case entryAsked:
		return asked{d.Why, d.Once, d.Each}, nil
	case entryDecided:
		return decided{d.Decision, d.By, d.Apart}, nil
	case entryStarted:
		return started{}, nil
	case entryEnded:
		if m, ok := one(); ok {
			if r, ok := m.Parts[0].(callwright.Result); ok {
				return ended{r, d.Code, d.MS}, nil
			}
		}
	case entryAdded:
		if m, ok := one(); ok {
			return added{m, d.Why}, nil
		}
	case entryVerified:
		return decodeVerified(e, &d)
	case entryMoved:
		return moved{d.Model}, nil
	case entryStopped:
		return stopped{d.Stop, d.Message}, nil
	default:
		return nil, callwright.Errorf("agent.load", callwright.KindInvalid, "",
			"unknown entry %q: the run was recorded by a later version", callwright.Excerpt(string(e.Kind)))
	}
	return nil, badEntry(e, nil)
}

func decodeVerified(e Entry, d *entryData) (record, error) {
	if d.Response == nil {
		return verified{wrong: d.Wrong}, nil
	}
	verdict, err := conversation.UnmarshalResponse(d.Response)
	if err != nil {
		return nil, badEntry(e, err)
	}
	return verified{d.Wrong, verdict}, nil
}

func badEntry(e Entry, err error) error {
	bad := callwright.Errorf("agent.load", callwright.KindInvalid, "", "the entry %q cannot be read", e.Kind)
	bad.Err = err
	return bad
}
