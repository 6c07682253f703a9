package archtest

// Glossary holds the rules of this module's language. The numbers are ceilings, to be lowered with the counts.
var Glossary = Language{
	Words: map[string]string{
		"ladder": "chain", "rung": "candidate", "rungs": "candidates", "climb": "try", "climbs": "tries",
		"vault": "signatures", "shelf": "store", "lens": "adapter", "ghost": "doubledBrace",
	},
	Phrases: map[string]string{
		"the ladder": `"the fallback chain"`, "a rung": `"a candidate"`, "the rung": `"the candidate"`, "the vault": `"the signature store"`,
		"gone on with": `"continued"`, "goes on with": `"continues"`, "go on with": `"continue"`, "taken over": "what is done, such as \"copied\"",
		"let through": `"accepted"`, "left alone": `"unchanged" or "skipped"`, "that which": "a noun",
	},
	// Functions that are called after a verb: "read" and "put" are no participles there.
	Verbs:        []string{"embed", "need", "feed", "seed", "exceed", "proceed", "succeed", "speed", "heed", "read", "put", "set", "run", "cut", "split", "spread"},
	CommentWidth: 120, LongLine: 140,
	MaxWhat: 1.5, MaxParticiple: 700, MaxLong: 25,
}
