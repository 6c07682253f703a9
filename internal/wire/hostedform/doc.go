// Package hostedform has the forms of the tools that providers run: how APIs declare them, and how they show that one
// ran.
package hostedform
