// Package authtest plays, for tests, what asks for credentials and what gives them: services of tokens of AWS, Google and Azure, and providers that refuse
// credentials which have ended. It is made from the documents of these services and shares no code with what is tested.
package authtest
