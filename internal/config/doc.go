// Package config reads the configuration of the gateway and makes clients of it.
//
// A [Config] is one struct that gives the parser, the JSON Schema for editors ([Schema]) and the reference in the
// documentation. [Parse] is strict: a key that does not exist, a value of the wrong type, a name that means nothing is
// an [Error] with its line and column, and all of them are found at once. [Discover] makes a Config where none was
// written.
//
// A [Registry] turns the names that clients ask for into reliable clients: an alias, a pattern such as "lab/*", or
// "provider/model". Settings come from the provider, then from patterns in the order in which they are written, then
// from the model's own entry, then from its alias; the later wins.
package config
