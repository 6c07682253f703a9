// Package transformset applies the transforms of a client and of its model to requests and answers, in their order.
package transformset
