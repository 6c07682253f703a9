// Package adapter translates a tool's JSON Schema to the subset that one provider or decoder accepts, and converts the
// resulting arguments to arguments for the original schema.
//
//	t, err := adapter.Translate(adapter.OpenAIStrict, parameters) // Cache.Translate keeps translations by content
//	send(t.Schema)                                            // t.Lost lists the keywords that it does not express
//	args = t.Undo(args)                                       // validate these against the original schema
//
// A Translation guarantees: arguments that satisfy Schema satisfy the original after Undo, except for the keywords in
// Lost. A translation may permit less than the original (one type in place of any type) if the target cannot express
// more. If that excludes values, Lost contains it, too.
//
// A target is a row of a table: the keywords that it accepts, its forms of null, enums and unions, and its rules for
// objects. References are expanded if a target does not accept them, and recursive ones three times. Combinators at the
// root are merged into one object. Descriptions express constraints for which the target has no keyword. A schema that
// a target accepts is kept byte for byte.
//
// A translation depends only on the target and the schema, keeps the order of members, and takes time proportional to
// the size of the schema. Numbers keep their digits. A Translation is immutable and safe for concurrent use.
package adapter
