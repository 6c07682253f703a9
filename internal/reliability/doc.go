// Package reliability has tests alone. They measure how often a client of package reliable gets the intended answer
// from a damaged one, against package simulate: for every class of failure, and for families of models that misbehave
// now and then. They also count the texts of real models that are read right. They write docs/reliability.md and
// compare it with the measurements.
package reliability
