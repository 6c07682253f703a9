// Package adapter translates the JSON Schema of a tool's parameters into the subset that a provider accepts, and the
// arguments that come back into arguments for the original schema.
//
//	t, err := adapter.Translate(caps.SchemaOpenAIStrict, parameters)
//	send(t.Schema)                // t.Dropped lists the keywords that it does not express
//	args = t.Restore(args)        // validate these against the original schema
//
// Arguments that satisfy the translated schema satisfy the original one after Restore, apart from the keywords in
// Dropped. A translation depends on its target and on the bytes of the schema alone. A schema that a target accepts as
// it is stays byte for byte. Package reliable does all of this for its clients.
package adapter
