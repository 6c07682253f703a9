package workspace

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonpatch"
	"github.com/callwright/callwright/internal/jsonx"
)

// A rule lists the actors that may make edits of one kind, and has the function that applies such an edit.
type rule struct {
	kind  Kind
	by    []Actor
	apply func(*change) error
}

// rules has a rule for every kind of edit except Create, which New implements.
var rules = []rule{
	{PatchDraft, []Actor{Person, Model}, (*change).patchDraft},
	{UndoDraft, []Actor{Person}, (*change).undoDraft},
	{Lock, []Actor{Person}, (*change).lock},
	{Unlock, []Actor{Person}, (*change).unlock},
	{ProposeFacts, []Actor{Person, Model}, (*change).propose},
	{CommitFacts, []Actor{Person}, (*change).commit},
	{RejectFacts, []Actor{Person}, (*change).reject},
	{PatchUI, []Actor{App}, (*change).patchUI},
}

// change is the application of one edit.
type change struct {
	limits Limits
	was    *State
	edit   *Edit
	next   *State // the new version; it shares unchanged documents with was
	entry  *Edit  // points to next.Entry.Edit
}

// Apply returns the next version of the workspace. If the edit is rejected, it returns a *[callwright.Error]: Code is
// one of the codes of this package and Path points into the edited document. If the patch is faulty, the error wraps a
// *PatchError with the position in the patch. Apply modifies neither s nor e. The returned State may share documents
// with both.
func (l Limits) Apply(s *State, e Edit) (*State, error) {
	i := slices.IndexFunc(rules, func(r rule) bool { return r.kind == e.Kind })
	if i < 0 {
		return nil, refuse(callwright.KindInvalid, CodeInvalidEdit, "", "unknown kind of edit %q", callwright.Excerpt(string(e.Kind)))
	}
	if !slices.Contains(rules[i].by, e.By.Actor) {
		return nil, refuse(callwright.KindPermission, CodeNotAllowed, "", "%s is for %s alone, not for %q", e.Kind,
			actors(rules[i].by), callwright.Excerpt(string(e.By.Actor)))
	}
	if e.Base != 0 && e.Base != s.Version {
		return nil, refuse(callwright.KindConflict, CodeConflict, "",
			"the workspace is at version %d by now, and the edit was made for version %d; look at it again", s.Version, e.Base)
	}
	if err := e.check(); err != nil {
		return nil, err
	}
	next := *s
	next.Version++
	next.Entry = Entry{Version: next.Version, Edit: Edit{Kind: e.Kind, By: e.By, Time: e.Time, Base: s.Version, Why: e.Why}}
	if err := rules[i].apply(&change{limits: l, was: s, edit: &e, next: &next, entry: &next.Entry.Edit}); err != nil {
		return nil, err
	}
	return &next, nil
}

// maxText is the maximum size of each text of an edit besides the patch, in bytes.
const maxText = 4096

// check rejects an edit whose texts are too long or not UTF-8, or whose time has no JSON encoding.
func (e *Edit) check() error {
	for _, s := range []string{e.Why, e.By.Name, e.Path, e.Proposal} {
		if len(s) > maxText || !utf8.ValidString(s) {
			return refuse(callwright.KindInvalid, CodeInvalidEdit, "", "expected texts of at most %d bytes of UTF-8, got %q",
				maxText, callwright.Excerpt(s))
		}
	}
	if _, err := e.Time.MarshalText(); err != nil {
		return refuse(callwright.KindInvalid, CodeInvalidEdit, "", "expected a time in the years 0 to 9999, got %s", e.Time)
	}
	return nil
}

func actors(list []Actor) string {
	names := make([]string, len(list))
	for i, a := range list {
		names[i] = string(a)
	}
	return strings.Join(names, " and ")
}

// patch applies the patch of the edit to doc and returns the new document. It records the patch in the entry.
func (c *change) patch(doc []byte) (text []byte, err error) {
	_, after, _, err := c.limits.applyPatch(doc, c.edit.Patch)
	if err != nil {
		return nil, err
	}
	c.entry.Patch = jsonx.Compact(nil, c.edit.Patch)
	return after.Text(), nil
}

// applyPatch applies a patch to a document. It returns the document before and after, and the parsed patch.
func (l Limits) applyPatch(doc, patch []byte) (before, after jsonpatch.Doc, p *jsonpatch.Patch, err error) {
	if before, err = jsonpatch.Parse(doc, l.documents()); err != nil {
		return before, after, nil, editError(err)
	}
	if p, err = jsonpatch.ParsePatch(patch, l.documents()); err != nil {
		return before, after, nil, editError(err)
	}
	if after, err = p.Apply(before, nil); err != nil {
		return before, after, nil, editError(err)
	}
	return before, after, p, nil
}

func (c *change) patchDraft() error {
	before, after, p, err := c.limits.applyPatch(c.was.Draft, c.edit.Patch)
	if err != nil {
		return err
	}
	if c.edit.By.Actor != Person {
		if err := c.keepLocked(before, after, p); err != nil {
			return err
		}
	}
	c.next.Draft, c.entry.Patch = after.Text(), jsonx.Compact(nil, c.edit.Patch)
	return nil
}

// keepLocked returns an error of CodeLocked if the patch changes the value at a locked path.
func (c *change) keepLocked(before, after jsonpatch.Doc, p *jsonpatch.Patch) error {
	for _, lock := range c.was.Locks {
		path, err := jsonpatch.ParsePointer(lock)
		if err != nil {
			return editError(err)
		}
		if before.Same(after, path) {
			continue
		}
		message := fmt.Sprintf("%s is locked by a person, and the patch would change it", quotedPath(lock))
		var at string
		if in, ok := p.Merges(path); ok {
			at = in.String()
		} else {
			n := lastChange(before, p, path)
			at = "/" + strconv.Itoa(n)
			message += ": " + p.Describe(n)
		}
		e := refuse(callwright.KindPermission, CodeLocked, lock, "")
		e.Err = &PatchError{At: at, Message: message + "; leave it as it is where it is, or ask the person to unlock it"}
		return e
	}
	return nil
}

// lastChange returns the index of the last operation of p that changed the value at path, 0 if none did.
func lastChange(before jsonpatch.Doc, p *jsonpatch.Patch, path jsonpatch.Pointer) int {
	last, same := 0, true
	_, _ = p.Apply(before, func(n int, d jsonpatch.Doc) {
		is := before.Same(d, path)
		if same && !is {
			last = n
		}
		same = is
	})
	return last
}

func quotedPath(p string) string {
	if p == "" {
		return "the whole draft"
	}
	return strconv.Quote(jsonx.Clip(p, 200))
}

func (c *change) undoDraft() error {
	e := c.edit.Earlier
	if e == nil || e.ID != c.was.ID || e.Version == 0 || e.Version > c.was.Version {
		return refuse(callwright.KindInvalid, CodeInvalidEdit, "", "expected an earlier version of %s to go back to", c.was.ID)
	}
	c.next.Draft, c.entry.To = bytes.Clone(e.Draft), e.Version
	return nil
}

func (c *change) lock() error {
	doc, err := jsonpatch.Parse(c.was.Draft, c.limits.documents())
	if err != nil {
		return editError(err)
	}
	path, err := jsonpatch.ParsePointer(c.edit.Path)
	if err == nil {
		_, err = doc.Find(path)
	}
	switch {
	case err != nil:
		return editError(err)
	case slices.Contains(c.was.Locks, c.edit.Path):
		return refuse(callwright.KindInvalid, CodeUnchanged, c.edit.Path, "it is locked already")
	case len(c.was.Locks) >= c.limits.locks():
		return refuse(callwright.KindTooLarge, CodeTooMany, c.edit.Path, "there are %d locks, and no more are taken", len(c.was.Locks))
	}
	c.next.Locks, c.entry.Path = append(slices.Clone(c.was.Locks), c.edit.Path), c.edit.Path
	return nil
}

func (c *change) unlock() error {
	i := slices.Index(c.was.Locks, c.edit.Path)
	if i < 0 {
		return refuse(callwright.KindInvalid, CodeUnchanged, c.edit.Path, "it is not locked; locked are: %s", strings.Join(c.was.Locks, ", "))
	}
	c.next.Locks, c.entry.Path = slices.Delete(slices.Clone(c.was.Locks), i, i+1), c.edit.Path
	return nil
}

func (c *change) propose() error {
	facts, err := c.limits.facts(c.was, c.edit.Patch)
	if err != nil {
		return err
	}
	if jsonx.Equal(facts, c.was.Facts) {
		return refuse(callwright.KindInvalid, CodeUnchanged, "", "the facts say so already; there is nothing to propose")
	}
	for _, p := range c.was.Proposals {
		if jsonx.Equal(p.Patch, c.edit.Patch) {
			return refuse(callwright.KindInvalid, CodeUnchanged, "", "this is proposed already, as %s, and waits for a person", p.ID)
		}
	}
	if len(c.was.Proposals) >= c.limits.proposals() {
		return refuse(callwright.KindTooLarge, CodeTooMany, "", "%d proposals wait for a person, and no more are taken", len(c.was.Proposals))
	}
	p := Proposal{ID: fmt.Sprintf("p%d", c.next.Version), Patch: jsonx.Compact(nil, c.edit.Patch), By: c.edit.By,
		Time: c.edit.Time, Why: c.edit.Why}
	c.next.Proposals = append(slices.Clone(c.was.Proposals), p)
	c.entry.Patch, c.entry.Proposal = p.Patch, p.ID
	return nil
}

// facts returns the facts of s with the patch applied. The result must be an object.
func (l Limits) facts(s *State, patch []byte) ([]byte, error) {
	_, after, _, err := l.applyPatch(s.Facts, patch)
	if err != nil {
		return nil, err
	}
	text := after.Text()
	if !jsonx.IsObject(text) {
		return nil, refuse(callwright.KindInvalid, CodeWrongType, "", "the facts would be %.40s, and they are an object", text)
	}
	return text, nil
}

// Preview returns the facts as they would be after CommitFacts of the proposal with the given ID. It changes nothing.
func (l Limits) Preview(s *State, proposal string) ([]byte, error) {
	p, ok := s.Proposal(proposal)
	if !ok {
		return nil, unknownProposal(s, proposal)
	}
	return l.facts(s, p.Patch)
}

func (c *change) commit() error {
	if c.edit.Base == 0 {
		return refuse(callwright.KindInvalid, CodeInvalidEdit, "", "expected a commit to state the version that the person saw")
	}
	facts, err := c.limits.Preview(c.was, c.edit.Proposal)
	if err != nil {
		return err
	}
	c.removeProposal()
	c.next.Facts = facts
	return nil
}

func (c *change) reject() error {
	if _, ok := c.was.Proposal(c.edit.Proposal); !ok {
		return unknownProposal(c.was, c.edit.Proposal)
	}
	c.removeProposal()
	return nil
}

// removeProposal removes the proposal of the edit from the new version. It copies the proposal's patch to the entry,
// so that the audit trail shows the decision without the earlier versions.
func (c *change) removeProposal() {
	p, _ := c.was.Proposal(c.edit.Proposal)
	c.entry.Patch, c.entry.Proposal = p.Patch, p.ID
	c.next.Proposals = slices.DeleteFunc(slices.Clone(c.was.Proposals), func(q Proposal) bool { return q.ID == p.ID })
}

func unknownProposal(s *State, id string) error {
	ids := make([]string, len(s.Proposals))
	for i, p := range s.Proposals {
		ids[i] = p.ID
	}
	return refuse(callwright.KindNotFound, CodeUnknownProposal, "", "no proposal %q waits for a decision; those that do: %s",
		callwright.Excerpt(id), strings.Join(ids, ", "))
}

func (c *change) patchUI() error {
	ui := c.was.UI
	if len(ui) == 0 {
		ui = []byte("{}")
	}
	text, err := c.patch(ui)
	c.next.UI = text
	return err
}
