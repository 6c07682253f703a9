package claim

// A class is the class of work that a verb describes.
type class uint8

// The classes of work.
const (
	none    class = iota
	change        // of a file, a record, a device, an order
	send          // of a message
	execute       // of a program or of tests
	read          // of something outside the conversation
)

// A verb is a verb of a claim, with its past participle or past tense and its base form.
type verb struct {
	past, base string
	class      class
	// outside means that the verb alone implies work outside of the answer, such as "cancelled": an answer's own sentences
	// cannot be cancelled.
	outside bool
}

// verbs are the verbs of claims. Verbs that are only used for texts, thoughts and answers are excluded.
var verbs = []verb{
	{"updated", "update", change, false}, {"edited", "edit", change, false}, {"modified", "modify", change, false},
	{"changed", "change", change, false},
	{"created", "create", change, false}, {"written", "write", change, false}, {"wrote", "write", change, false},
	{"added", "add", change, false},
	{"removed", "remove", change, false}, {"deleted", "delete", change, true}, {"fixed", "fix", change, false},
	{"replaced", "replace", change, false},
	{"saved", "save", change, false}, {"renamed", "rename", change, false}, {"moved", "move", change, false},
	{"copied", "copy", change, false},
	{"inserted", "insert", change, false}, {"appended", "append", change, false}, {"refactored", "refactor", change, false},
	{"implemented", "implement", change, false}, {"applied", "apply", change, false}, {"corrected", "correct", change, false},
	{"configured", "configure", change, false}, {"set", "set", change, false}, {"adjusted", "adjust", change, false},
	{"stored", "store", change, false},
	{"recorded", "record", change, false}, {"logged", "log", change, false}, {"marked", "mark", change, false},
	{"closed", "close", change, false},
	{"opened", "open", change, false}, {"assigned", "assign", change, false}, {"registered", "register", change, false},
	{"submitted", "submit", change, true},
	{"processed", "process", change, false}, {"placed", "place", change, false}, {"ordered", "order", change, false},
	{"scheduled", "schedule", change, false},
	{"rescheduled", "reschedule", change, false}, {"arranged", "arrange", change, false}, {"confirmed", "confirm", change, false},
	{"cancelled", "cancel", change, true}, {"canceled", "cancel", change, true}, {"booked", "book", change, true},
	{"reserved", "reserve", change, true},
	{"refunded", "refund", change, true}, {"transferred", "transfer", change, true}, {"subscribed", "subscribe", change, true},
	{"unsubscribed", "unsubscribe", change, true}, {"enrolled", "enroll", change, true},
	{"purchased", "purchase", change, true}, {"bought", "buy", change, true},
	{"paid", "pay", change, true}, {"turned", "turn", change, false}, {"switched", "switch", change, false},
	{"enabled", "enable", change, false},
	{"disabled", "disable", change, false}, {"activated", "activate", change, false},
	{"deactivated", "deactivate", change, false}, {"locked", "lock", change, true},
	{"unlocked", "unlock", change, true}, {"installed", "install", change, true}, {"uninstalled", "uninstall", change, true},
	{"upgraded", "upgrade", change, false},
	{"deployed", "deploy", change, true}, {"committed", "commit", change, true}, {"pushed", "push", change, true},
	{"merged", "merge", change, false},
	{"restarted", "restart", change, true}, {"rebooted", "reboot", change, true}, {"started", "start", change, false},
	{"stopped", "stop", change, false},
	{"uploaded", "upload", change, true}, {"downloaded", "download", change, true}, {"imported", "import", change, false},
	{"exported", "export", change, false},
	{"migrated", "migrate", change, false}, {"reset", "reset", change, false}, {"backed", "back", change, false},
	{"printed", "print", change, false},
	{"completed", "complete", change, false}, {"performed", "perform", change, false}, {"generated", "generate", change, false},
	{"played", "play", change, false},

	{"sent", "send", send, true}, {"emailed", "email", send, true}, {"messaged", "message", send, true}, {"notified", "notify", send, true},
	{"forwarded", "forward", send, true}, {"posted", "post", send, false}, {"published", "publish", send, false},
	{"shared", "share", send, false},
	{"contacted", "contact", send, true}, {"texted", "text", send, true}, {"replied", "reply", send, false}, {"invited", "invite", send, true},

	{"ran", "run", execute, false}, {"run", "run", execute, false}, {"rerun", "run", execute, false},
	{"executed", "execute", execute, false}, {"tested", "test", execute, false},
	{"compiled", "compile", execute, false}, {"built", "build", execute, false}, {"called", "call", execute, false},
	{"invoked", "invoke", execute, false},

	{"checked", "check", read, false}, {"searched", "search", read, false}, {"read", "read", read, false}, {"reviewed", "review", read, false},
	{"examined", "examine", read, false}, {"inspected", "inspect", read, false}, {"scanned", "scan", read, false},
	{"fetched", "fetch", read, false},
	{"retrieved", "retrieve", read, false}, {"queried", "query", read, false}, {"looked", "look", read, false},
	{"browsed", "browse", read, false},
	{"verified", "verify", read, false}, {"used", "use", read, false},
}

var (
	verbOf = func() map[string]*verb {
		m := map[string]*verb{}
		for i := range verbs {
			m[verbs[i].past] = &verbs[i]
		}
		return m
	}()
	// doneOf maps base forms to verbs, as after "I did".
	doneOf = func() map[string]*verb {
		m := map[string]*verb{}
		for i := range verbs {
			if m[verbs[i].base] == nil {
				m[verbs[i].base] = &verbs[i]
			}
		}
		return m
	}()
	baseOf = func() *wordSet {
		m := setOf("make put get do go switch schedule remind tell")
		for i := range verbs {
			if verbs[i].class != read {
				m.add(verbs[i].base)
			}
		}
		return m
	}()
)

// verbAt returns the verb with a past form, nil for none.
func verbAt(s string) *verb {
	var room [maxWord]byte
	return verbOf[string(lower(s, &room))]
}

// baseVerbAt returns the verb with a base form, nil for none.
func baseVerbAt(s string) *verb {
	var room [maxWord]byte
	return doneOf[string(lower(s, &room))]
}
