// Package adapter translates the JSON Schema of a tool's parameters into the subset that a provider accepts. It also
// converts the arguments of a call back to the original schema.
//
//	t, err := adapter.Translate(caps.SchemaOpenAIStrict, parameters)
//	send(t.Schema)                // t.Dropped lists the keywords that it does not express
//	args = t.Restore(args)        // validate these against the original schema
//
// If arguments satisfy the translated schema, the result of Restore satisfies the original schema, except for the
// keywords in Dropped. A translation depends only on the target and the bytes of the schema. If the target accepts a
// schema, the schema stays unchanged. Clients of package reliable do all of this automatically.
package adapter
