// Package reliability has tests alone. They measure how often a client of package reliable gets from a damaged answer
// what was meant by it, against package simulate: for every class of failure, and for families of models that misbehave
// now and then; and how many of the texts that models wrote are read right. They write docs/reliability.md and hold it
// against what was measured.
package reliability
