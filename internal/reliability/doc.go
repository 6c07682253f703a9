// Package reliability contains only tests. They measure how often a client of package reliable gets the correct answer
// if the provider, simulated by package simulate, returns a faulty one. They cover every failure class and families of
// models with occasional faults. They also count the recorded texts of real models that are decoded correctly. They
// write docs/reliability.md and compare it with the measurements.
package reliability
