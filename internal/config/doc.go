// Package config reads the configuration file of the gateway and creates clients of models from it.
//
// A [Config] is one struct from which the parser, the JSON Schema for editors ([Schema]) and the reference
// documentation are derived. [Parse] is strict: an unknown key, a value of the wrong type and an unknown name are each
// an [Error] with line and column, and Parse reports all of them at once. [Discover] creates a Config from the
// environment without a file.
//
// A [Registry] resolves the model names in requests to clients of package reliable. Such a name is an alias, a group, a
// pattern such as "lab/*", or "provider/model". Settings come from the provider, then from patterns in the order of the
// file, then from the entry of the model, then from its alias. Later settings override earlier ones.
package config
