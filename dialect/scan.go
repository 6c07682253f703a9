package dialect

// NewScanner returns a Scanner for one response.
func NewScanner(o Options) *Scanner {
	names := o.Names
	if names == nil {
		declared := make([]string, len(o.Tools))
		for i := range o.Tools {
			declared[i] = o.Tools[i].Name
		}
		names = NewNames(declared)
	}
	s := &Scanner{o: o, lexer: lexer{marks: tableMarks(), names: names}, tools: toolset{names: names}}
	if o.Marks != nil {
		s.marks = o.Marks.index
	}
	s.tools.o, s.tools.keys = &s.o, s.marks.keys
	s.validator = validator{tools: &s.tools, rows: s.marks.rows}
	s.q.validator = &s.validator
	s.angle = -maxMarker
	s.earlier = append(s.earlier, '\n')
	if o.ReasoningPrimed {
		s.think, s.primed, s.state = "think", true, inReasoning
	}
	return s
}

// Feed scans the next chunk and appends complete items to out. Items may share memory with the chunks.
func (s *Scanner) Feed(piece string, out []Item) []Item {
	if s.ended || piece == "" {
		return out
	}
	if k := s.joint(piece); k > 0 {
		s.load(piece[:k])
		out, piece = s.run(out), piece[k:]
	}
	s.load(piece)
	out = s.run(out)
	if s.o.Watch != nil {
		name, text := s.heldCall()
		s.o.Watch.HoldsCall(s.base+s.from, name, text)
	}
	return out
}

// heldCall returns the name and buffered text of the incomplete call. Both are "" in visible text and reasoning.
func (s *Scanner) heldCall() (name, text string) {
	switch {
	case s.state == inFence || s.state == inEscaped:
		return s.f.name, s.t[s.from:]
	case s.state == inMessage || s.state >= inHead:
		return s.r.name, s.t[s.from:]
	}
	return "", ""
}

// Close scans the rest of the buffered text as the end of the response and appends the items to out. Later calls of
// Feed have no effect.
func (s *Scanner) Close(out []Item) []Item {
	if s.ended {
		return out
	}
	s.ended = true
	out = s.run(out)
	s.q.out = out
	s.noteUnsaid()
	s.q.finalize()
	out, s.q.out = s.q.out, nil
	return out
}

// ScanAll returns the items of a complete response text.
func ScanAll(o Options, text string) []Item {
	s := NewScanner(o)
	return s.Close(s.Feed(text, nil))
}

// run scans the buffered text as far as possible and appends complete items to out.
func (s *Scanner) run(out []Item) []Item {
	s.q.out = out
	s.goOn()
	s.save()
	out, s.q.out = s.q.out, nil
	return out
}

// Limits of the number of steps for a text.
const (
	stepsPerByte = 8
	fewSteps     = 64
)

// goOn takes steps until more text is needed. The limit of steps guards against an endless loop: if it is reached, the
// unscanned text becomes visible text.
func (s *Scanner) goOn() {
	for limit := fewSteps + stepsPerByte*(len(s.t)-s.from); s.next(); limit-- {
		s.work++
		if limit == 0 {
			s.stalled = true
			s.pos, s.recipient = len(s.t), ""
			s.flush(s.pos)
			s.back()
			return
		}
	}
}

// next takes one step in the current state. It returns false if more text is needed.
func (s *Scanner) next() bool {
	switch s.state {
	case inOpening:
		return s.opening()
	case inText:
		return s.text()
	case inReasoning:
		return s.reasoning()
	case inUnnamed:
		return s.scanUnnamedReasoning()
	case inResult:
		return s.result()
	case inConflict:
		return s.conflict()
	case inData:
		return s.data()
	case inCodeFence:
		return s.codeFence()
	case inFence:
		return s.openFence()
	case inEscaped:
		return s.scanEscapedCall()
	case inChannel:
		return s.channel()
	case inMessage:
		return s.messageBody()
	case inFinal:
		return s.final()
	case inUnspoken:
		return s.unspoken()
	}
	if s.think != "" {
		return s.nextInThought()
	}
	return s.nextInRegion()
}

// nextInRegion takes one step in a state inside a region.
func (s *Scanner) nextInRegion() bool {
	switch s.state {
	case inHead:
		return s.head()
	case inHeader:
		return s.header()
	case inNoise:
		return s.noise()
	case inValue:
		return s.value()
	case inTail:
		return s.tail()
	case inTags:
		return s.tags()
	case inArgument:
		return s.argument()
	case inBlocks:
		return s.blocks()
	case inBlockStart:
		return s.blockStart()
	case inBlock:
		return s.block()
	case inBody:
		return s.body()
	case inPlain:
		return s.plain()
	case inElements:
		return s.elements()
	case inFree:
		return s.free()
	}
	return s.leave()
}
