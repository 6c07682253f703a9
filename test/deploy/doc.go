// Package deploy checks the chart and the compose files of packaging: helm's linter takes the chart, what it renders
// decodes strictly into the types of Kubernetes, the compose files are valid and their files are there, and each
// configuration in them is one that the gateway takes.
//
// It is a module of its own, so that the library does not depend on Helm and Kubernetes.
package deploy
