// Package reliability measures how often a client of package reliable gets from a damaged answer what was meant by it, against package simulate: for
// every class of failure, and for families of models that misbehave now and then. Its tests hold docs/reliability.md against what was measured.
package reliability
