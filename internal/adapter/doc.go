// Package adapter writes a tool's JSON Schema in the form that one provider or decoder takes, and turns the arguments
// that come back into arguments for the schema as it was.
//
//	t, err := adapter.Translate(adapter.OpenAIStrict, parameters) // Cache.Translate keeps translations by content
//	send(t.Schema)                                            // t.Lost lists the keywords that it does not express
//	args = t.Undo(args)                                       // validate these against the original schema
//
// The law of a Translation: arguments that satisfy Schema satisfy the original after Undo, but for the keywords in
// Lost. A translation may ask for less than the original allows (one type in place of any) where the target has no way
// to say more; that is told in Lost too where it keeps values from being given.
//
// A target is a row of data: the keywords that it accepts, its forms of null, enum and union, and its rules for
// objects. References are written out where a target does not accept them, a recursion three times. Combinators at the
// root are folded into one object. Descriptions express constraints for which the target has no keyword. A schema that
// a target accepts stays byte for byte.
//
// Translations depend on target and content alone, keep the order of members, and take work in proportion to the
// schema. Numbers stay text. A Translation does not change and may be used by many goroutines.
package adapter
