package archtest

// Glossary holds the rules of this module's language. The numbers are ceilings, to be lowered with the counts.
var Glossary = Language{
	Words: map[string]string{
		"lens": "adapter", "rung": "candidate", "rungs": "candidates", "ladder": "fallback chain",
		"shelf": "capability store", "vault": "reasoning-signature store",
	},
	Phrases: map[string]string{
		"gone on with": `"continued"`, "goes on with": `"continues"`, "go on with": `"continue"`,
	},
	// Functions that are called after a verb: "read" and "put" are no participles there.
	Verbs: []string{"embed", "need", "feed", "seed", "exceed", "proceed", "succeed", "speed", "heed", "read", "put",
		"set", "run", "cut", "split", "spread"},
	CommentWidth: 120, LongLine: 140,
	MaxWhat: 1, MaxParticiple: 10, MaxLong: 25,
}
