package constraint

import (
	"slices"
	"strconv"
	"strings"
)

// A trigger is an automaton that detects the texts at which free text ends.
type trigger struct {
	nodes []node
}

// A node is a state of the automaton. Node 0 is the initial state.
type node struct {
	to    map[rune]int
	blank bool   // whether white space is permitted here
	then  string // expression that follows if the trigger ends here
}

func newTrigger() *trigger { return &trigger{nodes: []node{{to: map[rune]int{}}}} }

// literal adds a path for a text that begins at the state from, and returns the final state.
func (t *trigger) literal(from int, text string) int {
	for _, c := range text {
		next, ok := t.nodes[from].to[c]
		if !ok {
			next = len(t.nodes)
			t.nodes = append(t.nodes, node{to: map[rune]int{}})
			t.nodes[from].to[c] = next
		}
		from = next
	}
	return from
}

// addSpacedLiterals adds a path for texts with optional white space before each. It begins at the state from.
// addSpacedLiterals returns the final state.
func (t *trigger) addSpacedLiterals(from int, texts ...string) int {
	for _, text := range texts {
		t.nodes[from].blank = true
		from = t.literal(from, text)
	}
	return from
}

const blanks = " \t\r\n"

// step returns the states to which the character c can lead from the states in set. State 0 is always one of them,
// since a trigger may begin anywhere in free text.
func (t *trigger) step(set []int, c rune) []int {
	out := []int{0}
	for _, at := range set {
		if to, ok := t.nodes[at].to[c]; ok {
			out = append(out, to)
		}
		if t.nodes[at].blank && strings.ContainsRune(blanks, c) {
			out = append(out, at)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// prose writes the rules of free text that ends at a trigger, and returns the first rule. Each set of states of the
// automaton is a rule.
func (r *ruleSet) prose(t *trigger) string {
	names := map[string]string{}
	var write func(set []int) string
	write = func(set []int) string {
		for _, at := range set {
			if t.nodes[at].then != "" {
				return t.nodes[at].then
			}
		}
		key := ""
		for _, at := range set {
			key += strconv.Itoa(at) + " "
		}
		if name, ok := names[key]; ok {
			return name
		}
		name := r.name()
		names[key] = name
		if r.err != nil {
			return name
		}
		r.define(name, t.alternatives(set, write))
		return name
	}
	return write([]int{0})
}

// alternatives returns the alternatives of a set of states: the end of the text, each character that can continue a
// trigger, and all other characters.
func (t *trigger) alternatives(set []int, write func(set []int) string) string {
	var special []rune
	for _, at := range set {
		for c := range t.nodes[at].to {
			special = append(special, c)
		}
		if t.nodes[at].blank {
			special = append(special, []rune(blanks)...)
		}
	}
	slices.Sort(special)
	special = slices.Compact(special)
	forms := []string{`""`}
	byTarget := map[string][]span{}
	var targets []string
	var excluded []span
	for _, c := range special {
		excluded = append(excluded, span{c, c})
		target := write(t.step(set, c))
		if byTarget[target] == nil {
			targets = append(targets, target)
		}
		byTarget[target] = append(byTarget[target], span{c, c})
	}
	for _, target := range targets {
		forms = append(forms, class(false, byTarget[target]...)+" "+target)
	}
	return strings.Join(append(forms, class(true, excluded...)+" "+write([]int{0})), " | ")
}
