package claim

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A power is the set of abilities of a tool, guessed from its name and description.
type power uint8

// The powers. A tool may have several.
const (
	reads      power = 1 << iota
	changes          // can change data, such as a file
	sends            // can send messages
	runs             // can run programs
	everything power = reads | changes | sends | runs
)

// Words in names and descriptions of tools, by the powers that they imply.
var (
	readWords = setOf(`get read list find search fetch look lookup view show check describe browse retrieve cat grep glob ls weather info information
		status count calculate calculator convert compute query details history glance outline inspect available availability`)
	changeWords = setOf(`write edit update create add insert append delete remove rename move copy replace set modify patch apply save make mkdir put change
		fix format generate commit toggle turn switch enable disable start stop restart configure install cancel book schedule order submit register log push
		merge close assign transfer pay refund return exchange reserve record import export upload download draft mark reset play pause lock unlock store
		remember memory plan control adjust manage booking reservation file_edit str_replace checkout purchase buy edits writes updates creates adds inserts
		deletes removes replaces sets saves books cancels schedules`)
	sendWords = setOf("send sends email mail message notify post publish reply share call dial text sms slack notification forward invite")
	runWords  = setOf("run runs test tests build compile deploy invoke train evaluate lint check verify benchmark")
	// anyWords are words of tools that may do anything, such as shells and agents.
	anyWords = setOf(`bash shell sh terminal command commands cmd exec execute executes python code interpreter computer browser sandbox task agent delegate
		subagent process script powershell repl notebook jupyter mcp workflow dispatch program console eval handoff action actions operation operations`)
	// anyKeys are parameters for a program or the name of an operation.
	anyKeys = []string{"command", "cmd", "code", "script", "sql", "action", "operation", "commands", "patch", "prompt", "instructions"}
)

// descriptionWords is the number of words of a description that are used, because the first sentence describes the
// action.
const descriptionWords = 14

// powerOf returns the powers of a tool. A tool without any matching word has all powers.
func powerOf(t *callwright.Tool) power {
	p := powerOfName(t.Name)
	if p != reads {
		n := 0
		for w, ok := nextWord(t.Description, 0); ok && n < descriptionWords; w, ok = nextWord(t.Description, w.to) {
			p |= powerOfWord(t.Description[w.from:w.to])
			n++
		}
	}
	if properties, ok := jsonx.Find(t.Schema, "properties"); ok {
		for _, key := range anyKeys {
			if _, ok := jsonx.Find(properties, key); ok && !(key == "sql" && hasWord(t.Description, onlyReads)) {
				p |= everything
			}
		}
	}
	if p == 0 {
		return everything
	}
	return p
}

// onlyReads are words in descriptions of tools that take read-only queries.
var onlyReads = setOf("read-only readonly select reads")

// readVerbs are first words of names of tools that only read.
var readVerbs = setOf("get list find search fetch look lookup read view show check describe browse retrieve query grep glob count inspect")

// readNot are second words after which the tool may do more than read, as in "check in".
var readNot = setOf("in out and or")

// powerOfName returns the powers implied by the words of a tool's name, 0 for none. A name that begins with a verb of
// reading only implies reads, unless a word implies all powers.
func powerOfName(name string) (p power) {
	first, rest := cutName(name)
	second, _ := cutName(rest)
	onlyReads := isInSet(first, readVerbs) && !isInSet(second, readNot)
	for w, rest := cutName(name); w != ""; w, rest = cutName(rest) {
		p |= powerOfWord(w)
	}
	if onlyReads && p != everything {
		return reads
	}
	return p
}

func powerOfWord(w string) (p power) {
	var room [maxWord]byte
	low := lower(w, &room)
	if readWords.has(string(low)) {
		p |= reads
	}
	if changeWords.has(string(low)) {
		p |= changes
	}
	if sendWords.has(string(low)) {
		p |= sends
	}
	if runWords.has(string(low)) {
		p |= runs
	}
	if anyWords.has(string(low)) {
		p |= everything
	}
	return p
}

// cutName returns the first word of a tool's name and the rest. Words are separated by punctuation or begin with a
// capital letter.
func cutName(name string) (w, rest string) {
	name = strings.TrimLeft(name, "_-./:0123456789 ")
	for i := range len(name) {
		c := name[i]
		switch {
		case strings.IndexByte("_-./: ", c) >= 0:
			return name[:i], name[i:]
		case i > 0 && 'A' <= c && c <= 'Z' && 'a' <= name[i-1] && name[i-1] <= 'z':
			return name[:i], name[i:]
		}
	}
	return name, ""
}

// readers are shell commands that change nothing.
var readers = setOf("ls cat head tail grep rg find pwd wc which file stat du df tree less more type whoami uname date env printenv sort uniq cut nl diff")

// powerOfCall returns the powers of a call: those of its tool, or reads if its shell command only reads.
func powerOfCall(c *callwright.Call, tool power) power {
	if tool != everything {
		return tool
	}
	raw, ok := jsonx.Find(c.Arguments, "command")
	if !ok {
		return tool
	}
	command := strings.TrimSpace(string(jsonx.TextBytes(raw)))
	if command == "" || strings.ContainsAny(command, ">`$;&(") {
		return tool
	}
	for part := range strings.SplitSeq(command, "|") {
		name, args, _ := strings.Cut(strings.TrimSpace(part), " ")
		switch {
		case name == "git":
			verb, _, _ := strings.Cut(args, " ")
			if verb != "status" && verb != "diff" && verb != "log" && verb != "show" {
				return tool
			}
		case name == "find" && (strings.Contains(args, "-delete") || strings.Contains(args, "-exec")), !readers.has(name):
			return tool
		}
	}
	return reads
}
