// Package form checks whether a text is the JSON document that the request requires as the response.
package form
