// Package caps describes the capabilities of models: the modes of sending tools, the requirements of providers, and
// the source of each fact.
//
// Facts come from several sources. In ascending order of precedence these are built-in defaults, the shipped table,
// the provider's model list, probe results, facts learned from requests (they expire), the user's configuration, and
// overrides by an operator. Precedence applies to each field of [Caps] separately. [ShippedFor] and [ShippedForWire]
// read the shipped tables. A [Store] keeps learned facts. [Memory] is a Store in memory.
package caps
