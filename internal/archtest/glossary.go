package archtest

// Glossary has the language rules of this module. The numbers are upper limits, to be lowered over time.
var Glossary = Language{
	Words: map[string]string{
		"lens": "adapter", "rung": "candidate", "rungs": "candidates", "ladder": "fallback chain",
		"shelf": "capability store", "vault": "reasoning-signature store",
	},
	Phrases: map[string]string{
		"gone on with": `"continued"`, "goes on with": `"continues"`, "go on with": `"continue"`,
	},
	// Names of functions that are verbs although they look like participles, such as read and put.
	Verbs: []string{"embed", "need", "feed", "seed", "exceed", "proceed", "succeed", "speed", "heed", "read", "put",
		"set", "run", "cut", "split", "spread"},
	CommentWidth: 120, LongLine: 140,
	MaxWhat: 1, MaxParticiple: 10, MaxLong: 25,
}
